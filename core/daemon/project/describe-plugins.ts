import { PLUGIN_API_VERSION } from '../../plugins/manifest';
import type { PluginRegistry } from '../../plugins/registry';
import type { LlmDevice } from '../../devices/device';

/** A plug-in as `--json` and the control API show it. */
export interface PluginReport {
  driver: string;
  aliases: string[];
  kind: 'cli' | 'http' | null;
  version: string | null;
  api: number | null;
  state: 'ready' | 'unused' | 'failed' | 'shadowed';
  source: string;
  directory: string;
  summary: string | null;
  reason: string | null;
  providers: string[];
  hostApi: number;
}

export function describePlugins(plugins: PluginRegistry, devices: readonly LlmDevice[]): PluginReport[] {
  return plugins.list().map(({ driver, manifest, version = null, state, source, directory, reason = null }) => ({
    driver,
    aliases: manifest?.aliases ?? [],
    kind: manifest?.kind ?? null,
    version,
    api: manifest?.apiVersion ?? null,
    state,
    source,
    directory,
    summary: manifest?.summary ?? null,
    reason,
    providers: devices.filter((device) => state !== 'shadowed' && device.driver === driver).map(({ name }) => name),
    hostApi: PLUGIN_API_VERSION,
  }));
}
