import { didYouMean } from '../../config/did-you-mean';
import type { Driver } from '../../contract/api';
import type { Manifest } from '../../plugins/manifest';
import { failed, type Finding, ok, warning } from './check-codes';

const METHODS: Record<keyof Driver, true> = {
  ...{ chat: true, embed: true, countTokens: true, check: true },
  ...{ metadata: true, models: true, diagnose: true, close: true },
};

/** The methods that only a capability leads to: a request without it never reaches the driver. */
const NEEDED = { embeddings: 'embed' } as const;

/** The members of a driver by their types, those of its class included. A getter of its own is not run: it may connect. */
export function membersOf(driver: Driver): Record<string, string> {
  const members: Record<string, string> = {};
  // Also those of methods that a subclass replaces: `super` leads to them.
  const sources: [name: string, source: string][] = [];
  for (
    let part: object | null = driver;
    part && part !== Object.prototype;
    part = Object.getPrototypeOf(part) as object
  ) {
    for (const [name, { value }] of Object.entries(Object.getOwnPropertyDescriptors(part))) {
      members[name] ??= typeof (value ?? undefined);
      if (typeof value === 'function' && name !== 'constructor') sources.push([name, String(value)]);
    }
  }
  // A method that another one calls is a helper, whatever its name resembles.
  for (const name of Object.keys(members)) {
    const isCalled = sources.some(([other, source]) => other !== name && source.includes(`.${name}(`));
    if (isCalled && !(name in METHODS)) delete members[name];
  }
  for (const name of Object.keys(METHODS) as (keyof Driver)[])
    if (members[name] !== undefined) members[name] = typeof (driver[name] ?? undefined);
  return members;
}

/** Holds the members of a driver against the contract and the capabilities of its manifest. */
export function checkMethods(members: Record<string, string>, { capabilities }: Manifest): Finding[] {
  const known = Object.keys(METHODS);
  const has = (name: string) => members[name] !== undefined && members[name] !== 'undefined';
  const findings = known
    .filter((name) => has(name) && members[name] !== 'function')
    .map((name) => failed('L07', `${name} of the driver is no function: found ${members[name]}`));
  for (const [capability, method] of Object.entries(NEEDED)) {
    if (capabilities[capability] === true && !has(method))
      findings.push(
        failed(
          'L07',
          `the manifest declares ${capability}, and the driver has no ${method}()`,
          `add ${method}(), or take out the capability`,
        ),
      );
    if (capabilities[capability] !== true && has(method))
      findings.push(
        warning(
          'L07',
          `${method}() of the driver is never called`,
          `declare it: "capabilities": { "${capability}": true }`,
        ),
      );
  }
  for (const name of Object.keys(members).filter((each) => !known.includes(each) && members[each] === 'function')) {
    const meant = didYouMean(
      name,
      known.filter((each) => !has(each)),
    );
    if (meant !== undefined)
      findings.push(
        warning('L07', `the contract has no method ${name}, so Drivebay never calls it`, `did you mean ${meant}?`),
      );
  }
  return findings.length === 0 ? [ok('L07')] : findings;
}
