import { unknownProvider } from '../../config/did-you-mean';
import type { FoundDaemon } from '../../daemon/client/find-daemon';
import { describeModels, type ModelsReport } from '../../devices/describe-models';
import { rememberModels } from '../../devices/known-models';
import type { CommonFlags } from '../command-options';
import { formatTable, printNote, printReport, printWarningsFor } from '../terminal/print';
import { openAtDaemon, projectRef } from '../daemon/project-at-daemon';
import { runningDaemon } from '../daemon/running-daemon';
import { EXIT } from '../exit-codes';
import { withProjectHere } from '../open-project';
import { untilInterrupted } from '../terminal/signals';

/**
 * `models`: asks every provider, or one, for the models that it offers. Where a daemon runs, the daemon asks. The exit code is 1
 * when none of them could be asked.
 */
export async function models(provider: string | undefined, options: CommonFlags): Promise<void> {
  const daemon = await runningDaemon();
  const providers = await untilInterrupted(daemon ? askDaemon(daemon, provider, options) : ask(provider, options));
  printReport(options.json, { providers }, () =>
    formatTable(
      ['Provider', 'Model', 'Context'],
      providers.flatMap(({ provider: name, models: all }) =>
        all.map(({ name: model, contextWindow }) => [name, model, String(contextWindow ?? '')]),
      ),
    ),
  );
  const isOffline = providers.length > 0 && providers.every(({ reason }) => reason !== null);
  if (isOffline) process.exitCode = EXIT.failure;
  if (options.json) return;
  if (providers.length === 0) printNote('no provider is configured; to add one: drivebay providers add <driver>');
  for (const { provider: name, listed, reason, hint } of providers) {
    if (reason !== null) printNote(`${name} gives no list of models: ${reason}${hint ? `; ${hint}` : ''}`);
    else if (!listed) printNote(`${name} does not say which models it has`);
  }
}

async function askDaemon(
  daemon: FoundDaemon,
  provider: string | undefined,
  options: CommonFlags,
): Promise<ModelsReport[]> {
  const ref = projectRef(options);
  const project = await openAtDaemon(daemon, ref, provider);
  printWarningsFor([provider], project.providers, project.warnings);
  const names = project.providers.map(({ name }) => name);
  if (provider !== undefined && !names.includes(provider)) throw unknownProvider(provider, names);
  const asked = { query: { ...ref, provider } };
  return (await daemon.client.call<{ providers: ModelsReport[] }>('GET', '/v1/models', asked)).providers;
}

async function ask(provider: string | undefined, { project: useProject }: CommonFlags): Promise<ModelsReport[]> {
  return withProjectHere({ useProject }, async ({ project }) => {
    const { devices } = project;
    printWarningsFor([provider], devices.llms(), [...project.takeNotices(), ...project.warnings]);
    const asked = provider === undefined ? devices.llms() : [devices.need(provider)];
    const reports = await Promise.all(asked.map(describeModels));
    await rememberModels(project.paths.cache, reports);
    return reports;
  });
}
