/** What parts of a request count as, roughly, where the backend cannot count. */

const BYTES_PER_TOKEN = 4;
/** Of an image, or of a file whose text is not known. */
export const IMAGE_TOKENS = 1_500;
/** Of what stands around a message. */
export const MESSAGE_TOKENS = 3;

/** Of a text, or of a value in JSON. */
export function tokensOf(value: unknown): number {
  const text = typeof value === 'string' ? value : (JSON.stringify(value) ?? '');
  return Buffer.byteLength(text) / BYTES_PER_TOKEN;
}
