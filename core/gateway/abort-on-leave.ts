import type { ServerResponse } from 'node:http';
import type { DeviceCall } from '../devices/device';
import { CallAborted } from '../providers/call-clock';

/**
 * Keeps a call among the running ones until its response has closed, and ends it when the client leaves before. Speed: the
 * running ones are a list. A set drops its table whenever it is full of gaps. Each old table knows the next one, and holds
 * the calls that ran then, so all calls would live until the next full collection.
 */
export function abortOnLeave(caller: DeviceCall, response: ServerResponse, running: DeviceCall[]): void {
  running.push(caller);
  response.on('close', () => {
    const last = running.pop()!;
    if (last !== caller) running[running.indexOf(caller)] = last;
    if (!response.writableFinished) caller.abort.abort(new CallAborted('client_gone', 'the client went away'));
  });
}
