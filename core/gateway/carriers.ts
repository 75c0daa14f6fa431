import { createCipheriv, createHmac, timingSafeEqual } from 'node:crypto';
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
 * call. The texts are authenticated: no client can give a driver a state that the driver did not make. They are encrypted, because
 * they name their provider, and some clients may not know it.
 */
export class Carriers {
  private made: Record<'mac' | 'cipher', Buffer> | undefined;

  /** The key is read with the first text. */
  constructor(private readonly readKey: () => Buffer) {}

  pack({ maker, extra }: CarriedState, plain = ''): string {
    const payload = Buffer.from(JSON.stringify([maker, extra]));
    const mac = this.sign(plain, payload);
    return plain + MARKER + mac.toString('base64url') + this.crypt(payload, mac).toString('base64url');
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
    const rest = text.slice(begin + MAC_LENGTH);
    const mac = Buffer.from(text.slice(begin, begin + MAC_LENGTH), 'base64url');
    const sealed = Buffer.from(rest, 'base64url');
    // Several texts decode to the same bytes, and only one of them is ours.
    if (mac.length !== MAC_BYTES || sealed.toString('base64url') !== rest) return undefined;
    const payload = this.crypt(sealed, mac);
    const state = timingSafeEqual(mac, this.sign(plain, payload)) ? read(payload) : undefined;
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

  private sign(plain: string, payload: Buffer): Buffer {
    return createHmac('sha256', this.keys.mac)
      .update(plain)
      .update('\0')
      .update(payload)
      .digest()
      .subarray(0, MAC_BYTES);
  }

  /** Encrypts and decrypts. The counter begins with the MAC of the content, so it repeats only for the same content. */
  private crypt(bytes: Buffer, mac: Buffer): Buffer {
    return createCipheriv('aes-256-ctr', this.keys.cipher, mac).update(bytes);
  }

  private get keys() {
    const made = () => {
      const mac = this.readKey();
      return { mac, cipher: createHmac('sha256', mac).update('cipher').digest() };
    };
    return (this.made ??= made());
  }
}

function read(payload: Buffer): CarriedState | undefined {
  const [maker, extra] = JSON.parse(payload.toString()) as unknown[];
  return typeof maker === 'string' && isFields(extra) ? { maker, extra } : undefined;
}
