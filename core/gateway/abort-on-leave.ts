import type { ServerResponse } from 'node:http';
import type { DeviceCall } from '../devices/device';
import { CallAborted } from '../providers/call-clock';

/** Keeps a call among the running ones until its response has closed, and ends it when the client leaves before. */
export function abortOnLeave(caller: DeviceCall, response: ServerResponse, running: Set<DeviceCall>): void {
  running.add(caller);
  response.on('close', () => {
    running.delete(caller);
    if (!response.writableFinished) caller.abort.abort(new CallAborted('client_gone', 'the client went away'));
  });
}
