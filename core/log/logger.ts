import type { Logger as Pino } from 'pino';
import type { LogFormat, LogLevel } from './log-options';
import type { Logger } from '../contract/api';
import { printable } from './printable';
import type { Redactor } from '../contract/redact';

const GATHER_MS = 30;
const GATHER_LENGTH = 16 * 1024;
const BACKLOG_LIMIT = 16 * 1024 * 1024;

export interface LoggerOptions {
  level: LogLevel;
  format: LogFormat;
  redactor: Redactor;
  /** Takes the lines, several at once. Absent: they go to stderr; stdout belongs to the commands' own output. */
  write?: (text: string) => void;
}

/** A logger that gathers lines; what it holds is written at the latest when a program that logs to stderr exits. */
export interface GatheringLogger extends Logger {
  /** Writes what was gathered now. */
  flush(): void;
}

/** Writes one line per call. */
export function createLogger({ level, format, redactor, write }: LoggerOptions): GatheringLogger {
  let writeOut = write;
  const lines = new Batch((text) => (writeOut ??= openStderr())(redactor.redact(text)));
  // Before the exit handler of what it writes to.
  if (!write) process.prependListener('exit', () => lines.flush());
  const render = format === 'json' ? (line: string) => line : toText;
  const target = { write: (line: string) => lines.add(render(line)) };
  let log: Pino | undefined;
  const at = (method: keyof Logger) => (message: string, fields?: Record<string, unknown>) =>
    (log ??= openLog(level, target))[method](fields ?? {}, message);
  return {
    debug: at('debug'),
    info: at('info'),
    warn: at('warn'),
    error: at('error'),
    flush: () => lines.flush(),
  };
}

/** Loaded by the first line: whoever waits for a start need not wait for its log. */
function loadPino(): typeof import('pino') {
  return require('pino') as typeof import('pino');
}

function openLog(level: LogLevel, target: { write(line: string): void }): Pino {
  const pino = loadPino();
  return pino(
    {
      level,
      base: null,
      timestamp: pino.stdTimeFunctions.isoTime,
      formatters: { level: (label) => ({ level: label }) },
    },
    target,
  );
}

function openStderr(): (text: string) => void {
  const pino = loadPino();
  // Asynchronous, so that a reader that does not read stops nobody; beyond the limit lines are dropped.
  const stderr = pino.destination({ fd: 2, sync: false, maxLength: BACKLOG_LIMIT });
  // Whoever read the log has gone; that is no reason to end.
  stderr.on('error', () => undefined);
  process.on('exit', () => {
    try {
      stderr.flushSync();
    } catch {
      // Nothing was written yet, or stderr is closed.
    }
  });
  return (text) => void stderr.write(text);
}

/** Gathers lines for a moment: a write of its own would cost a request more than everything else the log does. */
class Batch {
  private text = '';

  constructor(private readonly write: (text: string) => void) {}

  add(line: string): void {
    if (this.text === '') setTimeout(() => this.flush(), GATHER_MS).unref();
    this.text += line;
    if (this.text.length > GATHER_LENGTH) this.flush();
  }

  flush(): void {
    if (this.text !== '') this.write(this.text);
    this.text = '';
  }
}

/** `12:01:02 info  message key=value`. */
function toText(line: string): string {
  const { level, time, msg, ...fields } = JSON.parse(line) as Record<string, unknown> & { level: string; time: string };
  const pairs = Object.entries(fields).map(
    ([key, value]) => ` ${key}=${typeof value === 'string' ? quoted(value) : JSON.stringify(value)}`,
  );
  return `${time.slice(11, 19)} ${level.padEnd(5)} ${printable(String(msg))}${pairs.join('')}\n`;
}

/** Values with spaces or control characters are quoted, so that one line stays one line. */
function quoted(value: string): string {
  return /^[\x21\x23-\x7e]+$/.test(value) ? value : printable(JSON.stringify(value));
}
