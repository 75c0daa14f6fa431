import type { Manifest } from './manifest';

/** Every name of a driver. The first one is shown to users: an alias, which says what the driver drives, where it has one. */
export function driverNames({ driver, aliases }: Pick<Manifest, 'driver' | 'aliases'>): [string, ...string[]] {
  const [first, ...others] = aliases;
  return first === undefined ? [driver] : [first, driver, ...others];
}
