import { randomUUID } from 'node:crypto';
import type { Message } from 'drivebay/plugin';

const OWN = /^call_[0-9a-f]{32}$/;
/** What tells a call apart from an earlier one with the same id of the vendor. */
const REPEATED = /_repeated\d+$/;

/** Makes ids that no other call of a conversation has: clients find the call of a result by nothing else. */
export class CallIds {
  private used: Set<string> | undefined;

  constructor(private readonly messages: readonly Message[]) {}

  /** The id of one more call, which the vendor may have given an id, and perhaps one that it has given before. */
  next(vendorId: string | undefined): string {
    if (vendorId === undefined) return `call_${randomUUID().replaceAll('-', '')}`;
    this.used ??= usedIn(this.messages);
    let id = vendorId;
    for (let count = 2; this.used.has(id); count += 1) id = `${vendorId}_repeated${count}`;
    this.used.add(id);
    return id;
  }
}

/** What the vendor knows a call by; undefined where it gave it no id. */
export function toVendorId(id: string): string | undefined {
  return OWN.test(id) ? undefined : id.replace(REPEATED, '');
}

function usedIn(messages: readonly Message[]): Set<string> {
  const calls = messages.flatMap(({ parts }) => parts.filter((part) => part.type === 'tool_call'));
  return new Set(calls.map(({ id }) => id));
}
