import type { Problem } from '../../errors';
import type { Paths } from '../../paths';
import { discoverPlugins, missingFolders, type Plugin } from '../../plugins/discover';
import { keepSame, PluginRegistry } from '../../plugins/registry';

export function openPlugins(
  paths: Paths,
  { environment, demo = false }: { environment: NodeJS.ProcessEnv; demo?: boolean },
  /** The plug-ins from before a reload. */
  earlier?: PluginRegistry,
): PluginRegistry {
  const { DRIVEBAY_PLUGIN_PATH: pluginPath } = environment;
  const found = discoverPlugins({ pluginPath, userPlugins: paths.userPlugins, examples: demo });
  return new PluginRegistry(earlier ? keepSame(found, earlier.list()) : found);
}

export function unusablePlugins(plugins: PluginRegistry): Plugin[] {
  return plugins.list().filter(({ state }) => state === 'failed' || state === 'shadowed');
}

/** What is wrong with plug-ins and with the folders of DRIVEBAY_PLUGIN_PATH. */
export function pluginWarnings(plugins: PluginRegistry, pluginPath: string | undefined): Problem[] {
  const missing = missingFolders(pluginPath);
  return [
    ...missing.map((directory) => ({ message: `DRIVEBAY_PLUGIN_PATH: ${directory} is not a folder` })),
    ...unusablePlugins(plugins).map(pluginProblem),
  ];
}

export function pluginProblem({ directory, state, reason }: Plugin): Problem {
  return { message: `plug-in ${directory} is ${state}: ${reason}`, hint: 'see: drivebay plugins list' };
}
