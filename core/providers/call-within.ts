import type { Call, Logger } from '../contract/api';
import { CallClock } from './call-clock';
import { untilAborted } from './until-aborted';

/** Runs something of a driver that is no chat, with a call of its own, and rejects at its limit whatever the driver does. */
export async function callWithin<T>(limitMs: number, log: Logger, work: (call: Call) => Promise<T>): Promise<T> {
  const clock = new CallClock(limitMs, new AbortController(), () => '').start(Date.now());
  const { signal, deadline } = clock;
  const trace: Call['trace'] = (event, fields) => log.debug(event, fields);
  try {
    return await untilAborted(work({ id: 'check', signal, deadline, log, trace }), signal);
  } finally {
    clock.stop();
  }
}
