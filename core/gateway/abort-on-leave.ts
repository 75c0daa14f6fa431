import type { ServerResponse } from 'node:http';
import { DriverError } from '../contract/driver-error';
import type { DeviceCall } from '../devices/device';
import { CallAborted } from '../providers/call-clock';

const CLIENT_LEFT = 'the client went away';

/**
 * Keeps a call among the running ones until its response has closed, and ends it when the client leaves before. Speed: the
 * running ones are a list. A set drops its table whenever it is full of gaps. Each old table knows the next one, and holds
 * the calls that ran then, so all calls would live until the next full collection.
 */
export function abortOnLeave(caller: DeviceCall, response: ServerResponse, running: DeviceCall[]): void {
  running.push(caller);
  response.once('close', () => {
    const last = running.pop()!;
    if (last !== caller) running[running.indexOf(caller)] = last;
    if (!response.writableFinished) caller.abort.abort(new CallAborted('client_gone', CLIENT_LEFT));
  });
}

/**
 * Waits until it is the turn of an answer that was ended: requests of one connection are answered in their order. Undefined: it is.
 * Fails if the client left before.
 */
export function untilSent(response: ServerResponse): Promise<void> | undefined {
  if (response.socket || response.writableFinished || response.destroyed) return checkSent(response);
  return new Promise<unknown>((resolve) => response.once('socket', resolve).once('close', resolve)).then(() =>
    checkSent(response),
  );
}

function checkSent(response: ServerResponse): undefined {
  // Node calls what is written to a closed connection finished, but takes the connection away only from what has left.
  if (!(response.socket ? response.socket.writable : response.writableFinished)) throw clientGone();
}

export function clientGone(): DriverError {
  return new DriverError('canceled', CLIENT_LEFT, { kind: 'client_gone' });
}
