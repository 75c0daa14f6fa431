import { join } from 'node:path';
import { messageOf, type Problem } from '../../errors';
import type { Plugin } from '../../plugins/discover';
import type { Project } from '../project/project';

/**
 * Imports the code of the plug-ins that are new or have changed, so that a mistake in it is known before anything changes. A
 * plug-in that could not be loaded before the reload either is no reason against it: its providers stay offline.
 */
export async function loadPlugins(before: Project, after: Project): Promise<Problem[]> {
  const used = new Set([...after.made.providers.values()].map(({ plugin }) => plugin));
  const known = new Set([...before.made.providers.values()].map(({ plugin }) => plugin));
  const failed = new Set([...known].filter(isFailed).map(({ directory }) => directory));
  const found = await Promise.all(
    [...used].filter((plugin) => !known.has(plugin)).map((plugin) => tryOne(plugin, after)),
  );
  return found.flatMap(({ plugin, problem }) => (problem && !failed.has(plugin.directory) ? [problem] : []));
}

function isFailed({ state, print }: Plugin): boolean {
  return state === 'failed' && print === undefined;
}

async function tryOne(plugin: Plugin, { plugins }: Project): Promise<{ plugin: Plugin; problem?: Problem }> {
  try {
    await plugins.factory(plugin);
    return { plugin };
  } catch (error) {
    const file = join(plugin.codeDirectory, plugin.manifest?.main ?? 'manifest.json');
    const hint = 'fix it and reload again; until then the old code keeps running';
    return { plugin, problem: { place: { file }, message: messageOf(error), hint } };
  }
}
