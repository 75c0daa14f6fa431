import { didYouMean } from '../config/did-you-mean';
import { driverNames, type Manifest } from './manifest';

const OWN =
  'for a plug-in of yours: export DRIVEBAY_PLUGIN_PATH=<its folder>, in this terminal and before drivebay serve';

/** The hint for a `driver` that no plug-in provides: the one that may be meant, and all that there are. */
export function suggestDriver(word: string, manifests: readonly Manifest[]): string {
  const all = `drivers: ${manifests.map((manifest) => driverNames(manifest)[0]).join(', ')}`;
  // Other programs write `vendor/model`.
  const [vendor = '', ...rest] = word.split('/');
  const model = rest.length > 0 ? { default_model: rest.join('/') } : {};
  const linesOf = (options: object) => Object.entries(options).map(([option, value]) => `${option}: ${value}`);
  const server = knownServer(vendor, manifests);
  if (server) {
    const lines = linesOf({ ...server.options, ...model });
    return `did you mean ${server.driver}? With ${lines.join(', ')} it asks ${server.name} (${all})`;
  }
  const guess = guessDriver(vendor.toLowerCase(), manifests);
  if (guess === undefined) return `${all}; ${OWN}`;
  return `did you mean ${[guess, ...linesOf(model)].join(', with ')}? (${all})`;
}

export interface KnownServer {
  name: string;
  driver: string;
  /** The options of the entry, by their names. */
  options: Record<string, string>;
}

/** The server that a word names, as `openrouter` and `LM-Studio` do, with the driver that asks it. */
export function knownServer(word: string, manifests: readonly Manifest[]): KnownServer | undefined {
  const wanted = plain(word);
  for (const manifest of manifests) {
    const { keys = [], ports = [] } = manifest.detect ?? {};
    const all = [
      ...keys.map(({ provider, variables }) => ({ ...provider, api_key_env: variables[0] })),
      ...ports.map(({ provider }) => provider),
    ];
    const entry = all.find(({ name }) => plain(name) === wanted);
    if (!entry) continue;
    const { name, ...options } = entry;
    const texts = Object.entries(options).filter((each): each is [string, string] => typeof each[1] === 'string');
    return { name, driver: driverNames(manifest)[0], options: Object.fromEntries(texts) };
  }
  return undefined;
}

/** Products have dashes and dots that the names of providers leave out: `llama.cpp`. */
function plain(name: string): string {
  return name.toLowerCase().replace(/[-_. ]/g, '');
}

/** A misspelt name, the beginning of one, or the product that the summary of a driver names. */
function guessDriver(word: string, manifests: readonly Manifest[]): string | undefined {
  // `providers status` shows the kind under "Driver". It stands for no driver.
  if (manifests.some(({ kind }) => kind === word)) return undefined;
  const names = manifests.flatMap(driverNames);
  const near = didYouMean(word, names) ?? names.find((name) => name.startsWith(`${word}-`));
  if (near !== undefined) return near;
  const meant = manifests.find(({ summary }) => productsIn(summary).includes(word));
  return meant && driverNames(meant)[0];
}

/** The words with a capital letter: names. */
function productsIn(summary: string): string[] {
  return (summary.match(/[\w.]+/g) ?? []).filter((word) => /[A-Z]/.test(word)).map((word) => word.toLowerCase());
}
