import { createHmac, timingSafeEqual } from 'node:crypto';
import type { CarriedState } from '../contract/carried';
import { isFields } from '../fields';

/** Characters that every client and backend takes in an id. The number is the version of the form. */
const MARKER = '-drivebay1-';
const MAC_BYTES = 16;
/** In base64url. */
const MAC_LENGTH = 22;

/** What a text that a client sent back holds. */
interface Unpacked {
  /** What stands before the state: the id of the backend; empty for a signature. */
  plain: string;
  state: CarriedState;
}

/**
 * Packs the state of a driver into a text that clients send back untouched: a signature, encrypted content, the id of a
 * call. The texts are authenticated, so that no client can hand a driver a state that it did not make.
 */
export class Carriers {
  private key: Buffer | undefined;

  /** The key is read with the first text. */
  constructor(private readonly readKey: () => Buffer) {}

  pack({ maker, extra }: CarriedState, plain = ''): string {
    const payload = Buffer.from(JSON.stringify([maker, extra])).toString('base64url');
    return plain + MARKER + this.sign(plain, payload).toString('base64url') + payload;
  }

  /**
   * Undefined: this gateway did not write the text. It is a vendor's own, or of another gateway behind this one, or it was
   * changed, or packed with another key.
   */
  unpack(text: string): Unpacked | undefined {
    // The last one: what stands before it may be packed by another gateway.
    const at = text.lastIndexOf(MARKER);
    if (at < 0) return undefined;
    const plain = text.slice(0, at);
    const begin = at + MARKER.length;
    const payload = text.slice(begin + MAC_LENGTH);
    const mac = Buffer.from(text.slice(begin, begin + MAC_LENGTH), 'base64url');
    const isOurs = mac.length === MAC_BYTES && timingSafeEqual(mac, this.sign(plain, payload));
    const state = isOurs ? read(payload) : undefined;
    return state && { plain, state };
  }

  /** Whether a body holds anything of ours: most do not, and need no further look. */
  isIn(body: Buffer): boolean {
    return body.includes(MARKER);
  }

  /** The id of a call without what it carries. */
  plainId(id: string): string {
    return this.unpack(id)?.plain ?? id;
  }

  private sign(plain: string, payload: string): Buffer {
    this.key ??= this.readKey();
    return createHmac('sha256', this.key).update(plain).update('\0').update(payload).digest().subarray(0, MAC_BYTES);
  }
}

function read(payload: string): CarriedState | undefined {
  const [maker, extra] = JSON.parse(Buffer.from(payload, 'base64url').toString()) as unknown[];
  return typeof maker === 'string' && isFields(extra) ? { maker, extra } : undefined;
}
