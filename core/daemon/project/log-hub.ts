import type { Logger } from '../../contract/api';
import { makeLogger } from '../../contract/make-logger';

/** A logger that passes every line on to any number of others. */
export interface LogHub extends Logger {
  /** Call the returned function to remove the target. */
  add(target: Logger): () => void;
}

export function makeLogHub(first: Logger): LogHub {
  const targets = new Set([first]);
  const pass = makeLogger((level, message, fields) => targets.forEach((target) => target[level](message, fields)));
  const add = (target: Logger) => {
    targets.add(target);
    return () => void targets.delete(target);
  };
  return { ...pass, add };
}
