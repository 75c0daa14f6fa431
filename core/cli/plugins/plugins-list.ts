import { describePlugins } from '../../daemon/project/describe-plugins';
import { openPlugins } from '../../daemon/project/open-plugins';
import type { LlmDevice } from '../../devices/device';
import { ConfigError } from '../../errors';
import { emptyFolders, missingFolders } from '../../plugins/discover';
import { driverNames } from '../../plugins/manifest';
import type { PluginRegistry } from '../../plugins/registry';
import { adoptReasons } from '../../plugins/stray-failures';
import type { CommonFlags } from '../command-options';
import { findDaemonHere } from '../daemon/running-daemon';
import { pathsHere } from '../here';
import { openProjectHere } from '../open-project';
import { formatTable, printNote, printReport } from '../terminal/print';

const HEADS = ['Driver', 'Also called', 'Kind', 'Version', 'State', 'Source', 'Providers', 'Summary'];
const COLOURS = { ready: 'green', unused: 'dim', failed: 'red', shadowed: 'yellow' } as const;

export async function pluginsList({ json, project }: CommonFlags): Promise<void> {
  const { plugins, devices } = look(project);
  // A plug-in without a provider is not imported and stays `unused`.
  const drivers = new Set(devices.map(({ driver }) => driver));
  const used = plugins.list().filter(({ state, driver }) => state === 'unused' && drivers.has(driver));
  await Promise.all(used.map((plugin) => plugins.factory(plugin).catch(() => undefined)));
  const daemon = await findDaemonHere().catch(() => undefined);
  adoptReasons(daemon?.info.failures);
  const described = describePlugins(plugins, devices);
  printReport(json, { plugins: described }, () => {
    const rows = described.map((plugin) => {
      const { kind, version, state, source, providers, summary } = plugin;
      const [driver, ...others] = driverNames(plugin);
      const cell = { text: state, colour: COLOURS[state] };
      return [driver, others.join(', '), kind ?? '', version ?? '', cell, source, providers.join(', '), summary ?? ''];
    });
    return formatTable(HEADS, rows);
  });
  sayUseless(process.env.DRIVEBAY_PLUGIN_PATH);
  if (json) return;
  for (const plugin of described) {
    const { directory, state, reason } = plugin;
    if (reason) printNote(`${driverNames(plugin)[0]} is ${state}: ${reason} (${directory})`);
  }
}

/** The entries of the plug-in path that give nothing: a user may look for the plug-in that is missing in the list. */
function sayUseless(pluginPath: string | undefined): void {
  for (const directory of missingFolders(pluginPath))
    printNote(`warning: DRIVEBAY_PLUGIN_PATH: ${directory} is no folder`);
  for (const directory of emptyFolders(pluginPath))
    printNote(`warning: DRIVEBAY_PLUGIN_PATH: no manifest.json is in ${directory}, or in a folder of it`);
}

/** Lists the plug-ins even where the configuration has mistakes. */
function look(useProject: boolean): { plugins: PluginRegistry; devices: LlmDevice[] } {
  try {
    const { project } = openProjectHere({ useProject });
    return { plugins: project.plugins, devices: project.devices.llms() };
  } catch (error) {
    if (!(error instanceof ConfigError)) throw error;
    printNote('warning: the configuration has problems, so no plug-in is in use; see: drivebay config check');
    return { plugins: openPlugins(pathsHere(), { environment: process.env }), devices: [] };
  }
}
