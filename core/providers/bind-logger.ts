import type { Logger } from '../contract/api';

/** A logger that adds the same fields to every line. */
export function bindLogger(log: Logger, bound: Record<string, unknown>): Logger {
  const bind = (level: keyof Logger) => (message: string, fields?: Record<string, unknown>) =>
    log[level](message, { ...bound, ...fields });
  return { debug: bind('debug'), info: bind('info'), warn: bind('warn'), error: bind('error') };
}
