import type { Message } from 'drivebay/plugin';
import { fieldsOf, textOf, type Fields } from '../_shared/fields';
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

/**
 * What the vendor takes in place of a signature where there is none: the client dropped it, or another model made the
 * call. The words are documented by the vendor.
 */
export const NO_SIGNATURE = 'skip_thought_signature_validator';

/** The vendor's own chat-completions endpoint puts signatures there, so clients know the place. */
export function toExtraContent(signature: string): Fields {
  return { extra_content: { google: { thought_signature: signature } } };
}

export function readSignature(extra: Fields | undefined): string | undefined {
  return textOf(fieldsOf(fieldsOf(extra?.extra_content).google).thought_signature);
}
