import type { Problem } from '../../errors';
import type { Plugin } from '../../plugins/discover';
import type { PluginRegistry } from '../../plugins/registry';

/** The plug-ins that no provider can use, whatever it says. */
export function unusablePlugins(plugins: PluginRegistry): Plugin[] {
  return plugins.list().filter(({ state }) => state === 'failed' || state === 'shadowed');
}

/** What is wrong with one of them. */
export function pluginProblem({ directory, state, reason }: Plugin): Problem {
  return { message: `plug-in ${directory} is ${state}: ${reason}`, hint: 'see: drivebay plugins list' };
}
