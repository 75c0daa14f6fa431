import { openPlugins } from '../../daemon/project/open-plugins';
import { ConfigError } from '../../errors';
import { findPaths } from '../../paths';
import type { PluginRegistry } from '../../plugins/registry';
import type { LlmDevice } from '../../devices/device';
import { describePlugins } from '../../daemon/project/describe-plugins';
import { open } from '../open';
import { paint, printAnswer, printJson, printNote } from '../terminal/print';
import { formatTable } from '../terminal/table';
import { workingDirectory } from '../working-directory';

export interface PluginsListOptions {
  json?: boolean;
  project: boolean;
}

/** `plugins list`: what was found where, and what became of it. */
export async function pluginsList(options: PluginsListOptions): Promise<void> {
  const { plugins, devices } = await look(options.project);
  // Only what a provider uses is imported: the others stay `unused`.
  await Promise.all(
    plugins
      .list()
      .filter(({ state, driver }) => state === 'unused' && devices.some((device) => device.driver === driver))
      .map((plugin) => plugins.factory(plugin).catch(() => undefined)),
  );
  const described = describePlugins(plugins, devices);
  if (options.json) {
    printJson({ plugins: described });
    return;
  }
  const colours = { ready: 'green', unused: 'dim', failed: 'red', shadowed: 'yellow' } as const;
  const rows = described.map((plugin) => [
    plugin.driver,
    plugin.kind ?? '',
    plugin.version ?? '',
    { text: plugin.state, paint: (padded: string) => paint(colours[plugin.state], padded) },
    plugin.source,
    plugin.providers.join(', '),
    plugin.summary ?? '',
  ]);
  printAnswer(formatTable(['Driver', 'Kind', 'Version', 'State', 'Source', 'Providers', 'Summary'], rows));
  for (const { driver, directory, state, reason } of described) {
    if (reason) printNote(`${driver} is ${state}: ${reason} (${directory})`);
  }
}

/** A configuration with mistakes in it does not hide the plug-ins. */
async function look(useProject: boolean): Promise<{ plugins: PluginRegistry; devices: LlmDevice[] }> {
  try {
    const { project } = await open({ useProject });
    return { plugins: project.plugins, devices: project.devices.llms() };
  } catch (error) {
    if (!(error instanceof ConfigError)) throw error;
    printNote('warning: the configuration has problems, so no plug-in is in use; see: drivebay config check');
    return {
      plugins: openPlugins(findPaths(process.env, workingDirectory()), { environment: process.env }),
      devices: [],
    };
  }
}
