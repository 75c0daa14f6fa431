import type { Paths } from '../../paths';
import { discoverPlugins } from '../../plugins/discover';
import { PluginRegistry } from '../../plugins/registry';

/** Finds the plug-ins of a user, and those the demo needs. */
export function openPlugins(
  paths: Paths,
  { environment, demo = false }: { environment: NodeJS.ProcessEnv; demo?: boolean | undefined },
): PluginRegistry {
  const { DRIVEBAY_PLUGIN_PATH: pluginPath } = environment;
  return new PluginRegistry(discoverPlugins({ pluginPath, userPlugins: paths.userPlugins, examples: demo }));
}
