import { randomUUID } from 'node:crypto';

const OWN = /^call_[0-9a-f]{32}$/;

/** The id of a call that came without one. */
export function newCallId(): string {
  return `call_${randomUUID().replaceAll('-', '')}`;
}

/** Whether the vendor has never seen the id. One that it gave a call has to come back with the result. */
export function isOwnCallId(id: string): boolean {
  return OWN.test(id);
}
