import { z } from 'zod';
import { PLUGIN_API_VERSION } from '../../plugins/manifest';
import type { PluginRegistry } from '../../plugins/registry';
import type { LlmDevice } from '../../devices/device';

/** A plug-in as `--json` and the control API show it. */
export const pluginReportSchema = z.object({
  driver: z.string(),
  aliases: z.array(z.string()),
  kind: z.enum(['cli', 'http']).nullable(),
  version: z.string().nullable(),
  api: z.number().nullable(),
  state: z.enum(['ready', 'unused', 'failed', 'shadowed']),
  source: z.string(),
  directory: z.string(),
  summary: z.string().nullable(),
  reason: z.string().nullable(),
  providers: z.array(z.string()),
  hostApi: z.number(),
});

export type PluginReport = z.infer<typeof pluginReportSchema>;

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
