import { digestOf } from '../../config/client-keys';

/** A client has one key or two, and a machine has few clients. */
const MOST_KEPT = 100;

/**
 * The SHA-256 of the keys that requests show. Those of the last ones are kept: to make one takes longer than all else at the
 * door. This tells a guess nothing: a text is found by its hash, for which the engine has another seed in each process, and
 * the digests are compared as ever.
 */
export class KeyDigests {
  private readonly kept = new Map<string, readonly Buffer[]>();

  of(key: string): readonly Buffer[] {
    const known = this.kept.get(key);
    if (known) return known;
    const digests = spellingsOf(key).map(digestOf);
    if (this.kept.size === MOST_KEPT) this.kept.clear();
    this.kept.set(key, digests);
    return digests;
  }
}

/** Node reads each byte of a header as one character. Many programs send letters beyond ASCII as two bytes of UTF-8. */
function spellingsOf(key: string): string[] {
  const isPlain = !/[\x80-\xff]/.test(key);
  return isPlain ? [key] : [key, Buffer.from(key, 'latin1').toString()];
}
