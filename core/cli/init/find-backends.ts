import type { Environment } from '../../config/environment';
import { type Fault, formatFault } from '../../config/explain-issue';
import type { DetectedBinary, DetectedKey } from '../../plugins/detect';
import { driverNames, type Manifest } from '../../plugins/manifest';
import { explainBinary, explainDetect, explainKey, explainPort } from '../../plugins/explain-detect';
import type { PluginRegistry } from '../../plugins/registry';
import { shellWords } from '../../shell-words';
import { findProgram } from '../../subprocess/find-program';
import { findServer } from './find-server';
import { type Sighting, SORTS } from './sighting';

/**
 * Looks for everything that the manifests describe, all at once. Never rejects. Runs no code of a plug-in. The sightings come
 * in the order of preference: by sort, then by plug-in. The warnings are about manifests whose `detect` cannot be used.
 */
export async function findBackends(plugins: PluginRegistry, environment: Environment) {
  const usable = plugins.list().filter(({ state }) => state === 'unused' || state === 'ready');
  const found = await Promise.all(
    usable.map(async ({ manifest, source }) => ({
      isBundled: source === 'bundled',
      sightings: manifest ? await lookFor(manifest, environment) : [],
    })),
  );
  const all = (bundled: boolean) =>
    found.filter(({ isBundled }) => isBundled === bundled).flatMap((one) => one.sightings);
  const installed = all(false);
  // The user has installed a plug-in for this backend: it knows more of it than one that serves many.
  const bundled = all(true).filter((one) => !installed.some((other) => isSame(one, other)));
  return {
    sightings: [...bundled, ...installed].sort((a, b) => SORTS.indexOf(a.sort) - SORTS.indexOf(b.sort)),
    warnings: usable.flatMap(({ manifest, directory }) =>
      (manifest ? explainDetect(manifest) : []).map((fault) => ({
        message: `plug-in ${directory}: ${formatFault(fault, 'the file')}; it is passed over`,
        hint: `for its author: ${shellWords(['drivebay', 'plugins', 'check', directory])}`,
      })),
    ),
  };
}

function isSame(one: Sighting, other: Sighting): boolean {
  return one.where !== undefined && one.sort === other.sort && one.where === other.where;
}

async function lookFor(manifest: Manifest, environment: Environment): Promise<Sighting[]> {
  const { binaries = [], keys = [], ports = [] } = manifest.detect ?? {};
  const good = <Item>(items: Item[], explain: (item: Item, manifest: Manifest) => Fault[]) =>
    items.filter((item) => explain(item, manifest).length === 0);
  const found = await Promise.all([
    ...good(binaries, explainBinary).map((item) => findBinary(item, manifest, environment.process)),
    ...good(ports, explainPort).map((item) => findServer(item, manifest)),
  ]);
  return [...found, ...good(keys, explainKey).map((item) => findKey(item, manifest, environment))];
}

/** Looks for a program in the same places as the drivers. */
async function findBinary(
  { names, directories, install: get, provider }: DetectedBinary,
  manifest: Manifest,
  environment: NodeJS.ProcessEnv,
): Promise<Sighting> {
  const where = await findProgram({ names, directories, userFolders: true, environment }).catch(() => undefined);
  return { sort: 'program', manifest, provider, get, where };
}

/** Looks for a key in the same places as the drivers. Does not keep its value. */
function findKey(
  { variables, models: preferredModels, get: address, server, provider: entry }: DetectedKey,
  manifest: Manifest,
  environment: Environment,
): Sighting {
  const [usual = ''] = variables;
  const variable = variables.find((name) => environment.get(name)) ?? usual;
  const get = `export ${usual}=...${address === undefined ? '' : ` (${address})`}`;
  const provider = { ...entry, api_key_env: variable };
  const found = environment.get(variable);
  if (found && server !== undefined && isOfAnother(environment.process[server], manifest)) {
    const command = `drivebay providers add ${driverNames(manifest)[0]} --base-url "$${server}" --api-key-env ${variable}`;
    return { sort: 'key', manifest, provider, get: `${variable} is for the server of ${server}: ${command}` };
  }
  const where = found && `${variable}, from ${found.source}`;
  const isElsewhere = environment.process[variable]?.trim();
  const projectOnly = found && environment.isFromFile(variable) && !isElsewhere ? variable : undefined;
  return { sort: 'key', manifest, provider, get, preferredModels, where, projectOnly };
}

/** Whether an address names another host than the driver asks by itself. A key must not get to a server that it is not for. */
function isOfAnother(address: string | undefined, { options }: Manifest): boolean {
  if (!address?.trim()) return false;
  const own = options.base_url?.default;
  if (typeof own !== 'string' || !URL.canParse(own) || !URL.canParse(address)) return true;
  return new URL(address).host !== new URL(own).host;
}

/** Gives each sighting a unique name: the manifest's name, else with the driver's name, else with a number. */
export function uniqueNames(sightings: readonly Sighting[]): Sighting[] {
  const names = new Set<string>();
  return sightings.map((sighting) => {
    const { provider, manifest } = sighting;
    let name = names.has(provider.name) ? `${provider.name}-${driverNames(manifest)[0]}` : provider.name;
    for (let number = 2; names.has(name); number += 1) name = `${provider.name}-${number}`;
    names.add(name);
    return { ...sighting, provider: { ...provider, name } };
  });
}
