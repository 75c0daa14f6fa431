import { DRIVER_NAME, patternMeanings } from '../../config/schema';
import type { Plugin } from '../../plugins/discover';
import type { Manifest } from '../../plugins/manifest';
import type { PlaceFault } from '../../plugins/place-fault';
import { failed, type Finding } from './check-codes';

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
