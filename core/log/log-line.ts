import { isNativeError } from 'node:util/types';
import { configure } from 'safe-stable-stringify';
import type { Logger } from '../contract/api';
import { clockOf } from '../contract/wall-clock';
import { printable } from './printable';

/** Makes one line of a call of the logger, its end included. */
type LogLine = (level: keyof Logger, message: string, fields?: Record<string, unknown>) => string;

/** Slower than the engine's own; for circular values and BigInt, which the engine's refuses. */
const stringifyAnything = configure({ deterministic: false });

/** `{"level":"info","time":"2026-11-22T12:01:02.345Z","key":"value","msg":"message"}`. */
export const jsonLine: LogLine = (level, message, fields) =>
  `${toJson({ level, time: new Date().toISOString(), ...fields, msg: message })}\n`;

/** `12:01:02 info  message key=value`, in local time: it is for people. */
export const textLine: LogLine = (level, message, fields) => {
  let line = `${clockOfNow()} ${level.padEnd(5)} ${printable(String(message))}`;
  for (const name in fields) {
    const value = fields[name];
    if (value === undefined) continue;
    // Speed: most fields are numbers, and JSON with a replacer is slow.
    const text = typeof value === 'string' ? quoted(value) : typeof value === 'number' ? value : toJson(value);
    if (text !== undefined) line += ` ${name}=${text}`;
  }
  return `${line}\n`;
};

let second = 0;
let clock = '';

/** Lines come in crowds: those of one second have one text. */
function clockOfNow(): string {
  const now = Math.floor(Date.now() / 1000);
  if (now !== second) {
    second = now;
    clock = clockOf(now * 1000);
  }
  return clock;
}

/** Values with spaces or control characters are quoted, so that one line stays one line. */
function quoted(value: string): string {
  return /^[\x21\x23-\x7e]+$/.test(value) ? value : printable(JSON.stringify(value));
}

/** Undefined for a value that JSON has no form for, for example a function. */
function toJson(value: unknown): string | undefined {
  try {
    return JSON.stringify(value, showError);
  } catch {
    return stringifyAnything(value, showError);
  }
}

/** The message and the stack of an error are no fields of it that JSON would show. */
function showError(_: string, value: unknown): unknown {
  if (!isNativeError(value)) return value;
  return { ...value, type: value.name, message: value.message, stack: value.stack };
}
