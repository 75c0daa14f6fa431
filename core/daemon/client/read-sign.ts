import { ONCE } from '../../parse-once';
import { startSignSchema } from '../control/protocol';
import { ControlClient, ControlError } from './control-client';
import type { FoundDaemon } from './find-daemon';

/** The daemon that has given a sign, or that was there before it. Throws what kept it from starting. */
export function readSign(text: string, logFile: string): FoundDaemon {
  const { data } = startSignSchema.safeParse(parse(text), ONCE);
  if (!data) throw new ControlError('not_started', 'the daemon did not start', `its log says why: ${logFile}`);
  if ('error' in data) throw new ControlError('not_started', data.error.message, data.error.hint);
  return { ...data, client: new ControlClient(data.socket) };
}

/** It may have ended in the middle. */
function parse(text: string): unknown {
  try {
    return JSON.parse(text);
  } catch {
    return undefined;
  }
}
