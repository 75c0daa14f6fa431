import { formatTime } from '../../contract/wall-clock';
import type { FoundDaemon } from '../../daemon/client/find-daemon';
import type { ProjectInfo } from '../../daemon/control/protocol';
import { describePlugins, type PluginReport } from '../../daemon/project/describe-plugins';
import { checkProvider, explainOffline, howToEndRest, type ProviderReport } from '../../devices/describe-device';
import { KEPT_WORDS, summarizeKept } from '../../record/kept-summary';
import type { CommonFlags } from '../command-options';
import { openAtDaemon, projectRef, unreadConfig } from '../daemon/project-at-daemon';
import { runningDaemon } from '../daemon/running-daemon';
import { withProjectHere } from '../open-project';
import { formatDuration } from '../terminal/format';
import { type Cell, formatTable, printNote, printReport, printWarnings } from '../terminal/print';
import { untilInterrupted } from '../terminal/signals';

interface StatusReport extends Pick<ProjectInfo, 'warnings' | 'globalConfig' | 'files'> {
  /** Absent where no daemon has answered. */
  fingerprint?: ProjectInfo['fingerprint'];
  providers: ProviderReport[];
  plugins: PluginReport[];
}

/** `providers status`: checks every provider at once. Where a daemon runs, the daemon checks its own. */
export async function providersStatus(options: CommonFlags): Promise<void> {
  const daemon = await runningDaemon();
  const report = await (daemon ? untilInterrupted(askDaemon(daemon, options)) : look(options));
  const { providers, plugins } = report;
  printWarnings(report.warnings);
  printReport(options.json, { providers, plugins }, () =>
    formatTable(['Provider', 'Driver', 'Status', 'Model', 'Latency'], providers.map(toRow)),
  );
  if (!options.json) await printNotes(report);
}

async function askDaemon(daemon: FoundDaemon, options: CommonFlags): Promise<StatusReport> {
  const ref = projectRef(options);
  const project = await openAtDaemon(daemon, ref);
  const asked = { query: { ...ref, check: true, diagnose: true } };
  const answer = daemon.client.call<Pick<StatusReport, 'providers' | 'plugins'>>('GET', '/v1/providers', asked);
  return { ...project, ...(await answer) };
}

async function look({ project: useProject }: CommonFlags): Promise<StatusReport> {
  return withProjectHere({ useProject, isQuiet: true }, async ({ project }) => {
    const devices = project.devices.llms();
    const providers = await untilInterrupted(Promise.all(devices.map(checkProvider)));
    return {
      ...project,
      providers,
      plugins: describePlugins(project.plugins, devices),
      warnings: [...project.takeNotices(), ...project.warnings],
    };
  });
}

async function printNotes({ providers, globalConfig, files, fingerprint }: StatusReport): Promise<void> {
  if (providers.length === 0)
    printNote(`no provider is configured: add one to ${globalConfig}, or run: drivebay providers add <driver>`);
  if (files.length === 0) {
    const unread = fingerprint && (await unreadConfig({ fingerprint }));
    printNote(unread ?? 'no configuration file was found: this is the built-in provider; to write one: drivebay init');
  }
  for (const provider of providers) {
    const { name, status, reason, hint, warnings, findings, rests, route } = provider;
    if (status === 'offline') printNote(explainOffline(name, reason, hint));
    for (const rest of route ? [] : rests) printNote(explainRest(name, rest));
    const facts = factsOf(provider);
    if (facts !== '') printNote(`${name}: ${facts}`);
    for (const warning of warnings) printNote(`${name}: ${warning}`);
    // Of an offline provider the line above says more. A finding of the kind `other` may be that there was no time.
    for (const { topic, severity, message, fix } of status === 'healthy' ? findings : []) {
      if (topic === 'other' || !['broken', 'warning'].includes(severity)) continue;
      printNote(`${name}: ${message}${fix === undefined ? '' : `; ${fix}`}`);
    }
  }
}

function explainRest(name: string, { model, kind, message, until }: ProviderReport['rests'][number]): string {
  const who = model === undefined ? name : `${name}:${model}`;
  return `${who} rests until ${formatTime(until)} (${kind}): ${message}; ${howToEndRest(name, kind)}`;
}

/** The driver, where the name of the provider does not say it, and what the check has found. */
function factsOf({ name, kind, driver, driverAlias, detail, route, kept }: ProviderReport): string {
  if (route) {
    const targets = route.targets.map((target) => (target.model ? `${target.name}:${target.model}` : target.name));
    return `a route over ${targets.join(', ')}${route.order === 'spread' ? ', in turn' : ''}`;
  }
  const isNamed = [driver, driverAlias].includes(name);
  const facts = [isNamed ? undefined : `${kind} driver ${driverAlias}`, detail ?? undefined, countKept(kept)];
  return facts.filter(Boolean).join(', ');
}

function countKept(kept: ProviderReport['kept']): string | undefined {
  const { states, memoryBytes } = summarizeKept(kept);
  if (states.length === 0) return undefined;
  const counts = states.map(({ state, count, since }) => {
    const age = `${count > 1 ? 'the oldest ' : ''}for ${formatDuration(Date.now() - since)}`;
    return `${count} ${KEPT_WORDS[state]} (${age})`;
  });
  const memory = memoryBytes === null ? [] : [`${Math.round(memoryBytes / 2 ** 20)} MB`];
  return `kept: ${[...counts, ...memory].join(', ')}`;
}

function toRow(provider: ProviderReport): (string | Cell)[] {
  const { name, kind, status, model } = provider;
  const colour = status === 'healthy' ? 'green' : status === 'offline' ? 'red' : 'yellow';
  return [name, kind, { text: status, colour }, model ?? '', latency(provider)];
}

/** Empty for a CLI: the time to find a program says nothing about how fast it answers. */
function latency({ status, timedOut, latencyMs }: ProviderReport): string {
  if (status === 'offline') return timedOut ? 'timeout' : '';
  return latencyMs === null ? '' : `${latencyMs}ms`;
}
