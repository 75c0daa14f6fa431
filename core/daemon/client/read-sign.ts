import { isDaemonPlace } from '../control/daemon-info';
import { ControlClient, ControlError } from './control-client';
import type { FoundDaemon } from './find-daemon';

/** The daemon that has given a sign, or that was there before it. Throws what kept it from starting. */
export function readSign(text: string, logFile: string): FoundDaemon {
  const sign = parse(text);
  if (isDaemonPlace(sign)) return { ...sign, client: new ControlClient(sign.socket) };
  const { errorAnswerSchema } = require('../control/protocol') as typeof import('../control/protocol');
  const { data } = errorAnswerSchema.safeParse(sign);
  if (!data) throw new ControlError('not_started', 'the daemon did not start', `its log says why: ${logFile}`);
  throw new ControlError('not_started', data.error.message, data.error.hint);
}

/** It may have ended in the middle. */
function parse(text: string): unknown {
  try {
    return JSON.parse(text);
  } catch {
    return undefined;
  }
}
