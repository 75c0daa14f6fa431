import type { Logger } from './api';

/** A logger that hands every line, with its level, to one function. */
export function makeLogger(
  write: (level: keyof Logger, message: string, fields?: Record<string, unknown>) => void,
): Logger {
  const at = (level: keyof Logger) => (message: string, fields?: Record<string, unknown>) =>
    write(level, message, fields);
  return { debug: at('debug'), info: at('info'), warn: at('warn'), error: at('error') };
}
