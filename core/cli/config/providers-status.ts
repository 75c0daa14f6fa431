import { z } from 'zod';
import type { FoundDaemon } from '../../daemon/client/find-daemon';
import { describePlugins, type PluginReport, pluginReportSchema } from '../../daemon/project/describe-plugins';
import {
  describeProvider,
  explainOffline,
  type ProviderReport,
  providerReportSchema,
} from '../../daemon/project/describe-provider';
import { projectInfoSchema } from '../../daemon/control/protocol';
import type { Problem } from '../../errors';
import { open } from '../open';
import { paint, printAnswer, printJson, printNote, printWarnings } from '../terminal/print';
import { formatTable } from '../terminal/table';
import { untilInterrupted } from '../terminal/until-interrupted';
import { runningDaemon } from '../daemon/running-daemon';
import { projectRef, sayChanges } from '../daemon/use-daemon';

export interface StatusOptions {
  json?: boolean;
  project: boolean;
}

interface Report {
  providers: ProviderReport[];
  plugins: PluginReport[];
  warnings: readonly Problem[];
  globalConfig: string;
  /** The configuration files that were found. */
  files: readonly string[];
}

/** `providers status`: checks every provider at once, those of the daemon where one runs, and prints what came out. */
export async function providersStatus(options: StatusOptions): Promise<void> {
  const daemon = await runningDaemon();
  printStatus(await (daemon ? untilInterrupted(askDaemon(daemon, options)) : look(options)), options);
}

const answerSchema = z.object({
  providers: z.array(providerReportSchema),
  plugins: z.array(pluginReportSchema),
  project: projectInfoSchema,
});

async function askDaemon({ client, info }: FoundDaemon, options: StatusOptions): Promise<Report> {
  const query = { ...projectRef(options), check: true };
  const { providers, plugins, project } = await client.call('GET', '/v1/providers', answerSchema, { query });
  sayChanges(info, project);
  return { providers, plugins, warnings: project.warnings, globalConfig: project.globalConfig, files: project.files };
}

async function look({ project: useProject }: StatusOptions): Promise<Report> {
  const { project } = await open({ useProject });
  const devices = project.devices.llms();
  try {
    await untilInterrupted(Promise.all(devices.map((device) => device.check())));
    return {
      providers: devices.map(describeProvider),
      plugins: describePlugins(project.plugins, devices),
      warnings: [...project.notices, ...project.warnings],
      globalConfig: project.paths.globalConfig,
      files: project.files,
    };
  } finally {
    await project.close();
  }
}

function printStatus({ providers, plugins, warnings, globalConfig, files }: Report, { json }: StatusOptions): void {
  printWarnings(warnings);
  if (json) {
    printJson({ providers, plugins });
    return;
  }
  printAnswer(formatTable(['Provider', 'Driver', 'Status', 'Model', 'Latency'], providers.map(toRow)));
  if (providers.length === 0) printNote(`no provider is configured: add one to ${globalConfig}, or run: drivebay init`);
  if (files.length === 0)
    printNote('no configuration file was found: this is the built-in provider; to write one: drivebay init');
  for (const { name, status, reason, hint, warnings: own } of providers) {
    if (status === 'offline') printNote(explainOffline(name, reason, hint));
    for (const warning of own) printNote(`${name}: ${warning}`);
  }
}

function toRow(provider: ProviderReport) {
  const { name, kind, status, model } = provider;
  const colour = status === 'healthy' ? 'green' : status === 'offline' ? 'red' : 'yellow';
  return [
    name,
    kind,
    { text: status, paint: (padded: string) => paint(colour, padded) },
    model ?? '',
    latency(provider),
  ];
}

/** A duration for HTTP, nothing for a CLI: finding a binary says nothing about how fast it answers. */
function latency({ status, timedOut, latencyMs }: ProviderReport): string {
  if (status === 'offline') return timedOut ? 'timeout' : '';
  return latencyMs === null ? '' : `${latencyMs}ms`;
}
