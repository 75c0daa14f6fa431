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
    hostApi: PLUGIN_API_VERSION,
  }));
}
