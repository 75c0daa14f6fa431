import type { Message } from 'drivebay/plugin';
import { newCallId } from '../_shared/http/tool-calls';

const OWN = /^call_[0-9a-f]{32}$/;
/** Tells a call apart from an earlier call with the same id of the vendor. */
const REPEATED = /_repeated\d+$/;

/** Makes ids that no other call of a conversation has: clients match results to calls by nothing else. */
export class CallIds {
  private used: Set<string> | undefined;

  constructor(private readonly messages: readonly Message[]) {}

  /** The id of one more call. The vendor's own id may be one that it has given before. */
  next(vendorId: string | undefined): string {
    if (vendorId === undefined) return newCallId();
    this.used ??= usedIn(this.messages);
    let id = vendorId;
    for (let count = 2; this.used.has(id); count += 1) id = `${vendorId}_repeated${count}`;
    this.used.add(id);
    return id;
  }
}

/** The vendor's own id of a call; undefined where it gave none. */
export function toVendorId(id: string): string | undefined {
  return OWN.test(id) ? undefined : id.replace(REPEATED, '');
}

function usedIn(messages: readonly Message[]): Set<string> {
  const calls = messages.flatMap(({ parts }) => parts.filter((part) => part.type === 'tool_call'));
  return new Set(calls.map(({ id }) => id));
}
