import { createHash } from 'node:crypto';
import type { Device } from './device';

/** Every vendor takes names of these characters, of up to this length. */
const UNUSABLE = /[^a-zA-Z0-9_-]/g;
const MAXIMUM_LENGTH = 64;

/** Gives each device the name that models call it by: `/dev/llm/my.box` is `llm_my_box`. */
export function nameTools<D extends Pick<Device, 'path'>>(devices: Iterable<D>): Map<string, D> {
  const named = new Map<string, D>();
  for (const device of devices) {
    const name = toToolName(device.path.replace(/^\/dev\//, ''));
    named.set(named.has(name) ? shorten(name, device.path) : name, device);
  }
  return named;
}

/**
 * A name that every vendor takes: with other characters replaced, and a long one cut. With `whole` the name says which of
 * several it is that would have the same one.
 */
export function toToolName(text: string, whole?: string): string {
  const plain = text.replace(UNUSABLE, '_');
  return plain.length <= MAXIMUM_LENGTH && whole === undefined ? plain : shorten(plain, whole ?? text);
}

/** Stays the same whatever other devices there are. */
function shorten(plain: string, whole: string): string {
  const hash = createHash('sha256').update(whole).digest('hex').slice(0, 8);
  return `${plain.slice(0, MAXIMUM_LENGTH - hash.length - 1)}_${hash}`;
}
