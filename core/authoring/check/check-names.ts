import { DRIVER_NAME, patternMeanings } from '../../config/schema';
import { productName } from '../../package';
import type { LaunchClient } from '../../plugins/clients';
import type { Plugin } from '../../plugins/discover';
import type { Manifest } from '../../plugins/manifest';
import type { PlaceFault } from '../../plugins/place-fault';
import { failed, type Finding, warning } from './check-codes';

/** Why `drivebay launch` would not start a client. */
export type WhyNot = (client: LaunchClient) => string | undefined;

const RENAME = 'choose another name';

/** The names by which a configuration reaches the driver. */
export function checkNames({ driver, aliases }: Manifest, others: readonly Plugin[], at: PlaceFault): Finding[] {
  const ownerOf = (name: string) =>
    others.find((each) => each.driver === name || each.manifest?.aliases.includes(name))?.driver;
  const shadowed = ownerOf(driver);
  const own =
    shadowed === undefined
      ? []
      : [failed('M06', `"${driver}" is a driver of Drivebay, so this one would be shadowed`, RENAME)];
  const further = aliases.flatMap((alias, index) => {
    const fail = (message: string, hint: string) => [failed('M06', at({ path: ['aliases', index], message }), hint)];
    const owner = ownerOf(alias);
    if (owner !== undefined) return fail(`"${alias}" leads to the driver ${owner} of Drivebay`, RENAME);
    if (!DRIVER_NAME.test(alias))
      return fail(`found ${JSON.stringify(alias)}, expected ${patternMeanings.get(DRIVER_NAME.source)}`, RENAME);
    const isTwice = alias === driver || aliases.indexOf(alias) < index;
    return isTwice ? fail(`"${alias}" is a name of this driver already`, 'take it out') : [];
  });
  return [...own, ...further];
}

/** What `drivebay launch` would say of each client. One that only tells which API it speaks is there so that `launch` says so. */
export function checkClients(
  { clients }: Manifest,
  others: readonly Plugin[],
  at: PlaceFault,
  whyNot: WhyNot,
): Finding[] {
  const taken = new Set(others.flatMap(({ manifest }) => manifest?.clients.map(({ name }) => name) ?? []));
  return clients.flatMap((client, index) => {
    const warn = (field: string, message: string, hint: string) =>
      warning('M09', at({ path: ['clients', index, field], message }), hint);
    const isTaken = taken.has(client.name);
    taken.add(client.name);
    const reason = hasSettings(client) ? whyNot(client) : undefined;
    return [
      ...(isTaken ? [warn('name', `a client "${client.name}" comes first, so this one has no effect`, RENAME)] : []),
      ...(reason ? [warn('api', reason, `${productName} launch will not start it`)] : []),
    ];
  });
}

function hasSettings({ environment, arguments: words, files, asksFor }: LaunchClient): boolean {
  return [environment, words, files, asksFor].some((settings) => Object.keys(settings).length > 0);
}
