import { PLUGIN_API_VERSION } from '../plugins/manifest';
import type { PluginRegistry } from '../plugins/registry';
import type { LlmDevice } from '../vfs/llm-device';

/** Every plug-in as `--json` shows it. */
export function describePlugins(plugins: PluginRegistry, devices: readonly LlmDevice[]) {
  return plugins.list().map((plugin) => ({
    driver: plugin.driver,
    aliases: plugin.manifest?.aliases ?? [],
    kind: plugin.manifest?.kind ?? null,
    version: plugin.version ?? null,
    api: plugin.manifest?.apiVersion ?? null,
    state: plugin.state,
    source: plugin.source,
    directory: plugin.directory,
    summary: plugin.manifest?.summary ?? null,
    reason: plugin.reason ?? null,
    providers:
      plugin.state === 'shadowed'
        ? []
        : devices.filter(({ driver }) => driver === plugin.driver).map(({ name }) => name),
    host_api: PLUGIN_API_VERSION,
  }));
}
