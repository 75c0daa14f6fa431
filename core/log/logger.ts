import { SonicBoom } from 'sonic-boom';
import type { Logger } from '../contract/api';
import type { Redactor } from '../contract/redact';
import { jsonLine, textLine } from './log-line';
import { LOG_LEVELS, type LogFormat, type LogLevel } from './log-options';

const GATHER_MS = 30;
const GATHER_LENGTH = 16 * 1024;
const BACKLOG_LIMIT = 16 * 1024 * 1024;

interface LoggerOptions {
  level: LogLevel;
  format: LogFormat;
  redactor: Redactor;
  /** Takes the lines, several at once. Absent: they go to stderr; stdout belongs to the commands' own output. */
  write?: (text: string) => void;
}

/** A logger that gathers lines. A logger to stderr writes the rest of them when the program exits. */
interface GatheringLogger extends Logger {
  flush(): void;
}

export function createLogger({ level, format, redactor, write }: LoggerOptions): GatheringLogger {
  const lines = write ? new Batch((text) => write(redactor.redact(text))) : toStderr(redactor);
  const toLine = format === 'json' ? jsonLine : textLine;
  const lowest = LOG_LEVELS.indexOf(level);
  const at = (name: keyof Logger): Logger['info'] => {
    if (LOG_LEVELS.indexOf(name) < lowest) return () => undefined;
    return (message, fields) => lines.add(toLine(name, message, fields));
  };
  return {
    debug: at('debug'),
    info: at('info'),
    warn: at('warn'),
    error: at('error'),
    flush: () => lines.flush(),
  };
}

function toStderr(redactor: Redactor): Batch {
  // Writes asynchronously, so that a reader that stops reading does not stop the daemon. Beyond the limit lines are dropped.
  const stderr = new SonicBoom({ fd: 2, sync: false, maxLength: BACKLOG_LIMIT });
  let isOpen = true;
  const lines = new Batch((text) => {
    if (isOpen) stderr.write(redactor.redact(text));
  });
  // A reader that has gone is no reason to end.
  stderr.on('error', () => (isOpen = false));
  process.on('exit', () => {
    lines.flush();
    try {
      if (isOpen) stderr.flushSync();
    } catch {
      // The reader has gone, and nothing is left to tell it to.
    }
  });
  return lines;
}

/** Gathers lines for a moment: one write per line would cost a request more than the rest of its logging. */
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
