import { createHash } from 'node:crypto';
import type { Device } from './device';

/** Every vendor takes names of these characters, of up to this length. */
const UNUSABLE = /[^a-zA-Z0-9_-]/g;
const MAXIMUM_LENGTH = 64;

/** Gives each device the name that models call it by: `/dev/llm/my.box` is `llm_my_box`. */
export function nameTools<D extends Pick<Device, 'path'>>(devices: Iterable<D>): Map<string, D> {
  const named = new Map<string, D>();
  for (const device of devices) {
    const plain = device.path.replace(/^\/dev\//, '').replace(UNUSABLE, '_');
    const isGood = plain.length <= MAXIMUM_LENGTH && !named.has(plain);
    named.set(isGood ? plain : shorten(plain, device.path), device);
  }
  return named;
}

/** Stays the same whatever other devices there are. */
function shorten(plain: string, path: string): string {
  const hash = createHash('sha256').update(path).digest('hex').slice(0, 8);
  return `${plain.slice(0, MAXIMUM_LENGTH - hash.length - 1)}_${hash}`;
}
