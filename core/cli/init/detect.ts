import type { Environment } from '../../config/environment';
import type { Problem } from '../../errors';
import { explainBinary, explainDetect, explainKey, explainPort } from '../../plugins/explain-detect';
import type { Manifest } from '../../plugins/manifest';
import type { PluginRegistry } from '../../plugins/registry';
import { findBinary } from './find-binary';
import { findKey } from './find-key';
import { findServer } from './find-server';
import { type Sighting, SORTS } from './sighting';

export interface Detected {
  /** In the order of preference: by sort, then by plug-in. */
  sightings: Sighting[];
  /** Manifests whose `detect` cannot be used as it is. */
  warnings: Problem[];
}

/** Looks for everything that the manifests describe, at once. Never rejects; no code of a plug-in runs. */
export async function detect(plugins: PluginRegistry, environment: Environment): Promise<Detected> {
  const usable = plugins.list().filter(({ state }) => state === 'unused' || state === 'ready');
  const found = await Promise.all(usable.map(async ({ manifest }) => (manifest ? lookFor(manifest, environment) : [])));
  return {
    sightings: found.flat().sort((a, b) => SORTS.indexOf(a.sort) - SORTS.indexOf(b.sort)),
    warnings: usable.flatMap(({ manifest, directory }) =>
      (manifest ? explainDetect(manifest) : []).map((issue) => ({
        message: `plug-in ${directory}: ${issue}; it is passed over`,
        hint: `for its author: drivebay plugins check ${directory}`,
      })),
    ),
  };
}

async function lookFor(manifest: Manifest, environment: Environment): Promise<Sighting[]> {
  const { binaries = [], keys = [], ports = [] } = manifest.detect ?? {};
  const good = <Item>(items: Item[], explain: (item: Item, manifest: Manifest) => string[]) =>
    items.filter((item) => explain(item, manifest).length === 0);
  return Promise.all([
    ...good(binaries, explainBinary).map((item) => findBinary(item, manifest, environment.process)),
    ...good(keys, explainKey).map((item) => Promise.resolve(findKey(item, manifest, environment))),
    ...good(ports, explainPort).map((item) => findServer(item, manifest)),
  ]);
}
