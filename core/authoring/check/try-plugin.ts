import { Console } from 'node:console';
import { appendFileSync } from 'node:fs';
import { join } from 'node:path';
import { setTimeout as pause } from 'node:timers/promises';
import { Environment } from '../../config/environment';
import { givenEntry } from '../../config/given-entry';
import { formatProblem, messageOf } from '../../errors';
import { readPlugin } from '../../plugins/discover';
import { asFactory, importEntry } from '../../plugins/load';
import { PluginRegistry, explainLoad } from '../../plugins/registry';
import { buildProviders } from '../../providers/build-providers';
import { Redactor } from '../../contract/redact';
import { SAMPLE_KEY_NAME, sampleOptions } from './sample-options';
import { SILENT } from './run-program';
import type { TrialNote } from './check-loading';
import { watchResources } from './watch-resources';

/** Long enough to see what a factory starts in the background. */
const QUIET_MS = 100;

/**
 * The program of the trial process of `plugins check`. Loads one plug-in and makes a driver, as the daemon does.
 * Writes each note to a file at once, because a plug-in may print, hang, or end the process.
 */
async function tryPlugin(directory: string, codeDirectory: string, folder: string): Promise<void> {
  const note = (line: TrialNote) => appendFileSync(join(folder, 'notes'), `${JSON.stringify(line)}\n`);
  process.on('unhandledRejection', (reason) => note({ at: 'rejected', reason: messageOf(reason) }));
  // As in the daemon: the output of a plug-in must not mix with the output of a command.
  globalThis.console = new Console(process.stderr, process.stderr);
  const plugin = readPlugin(directory, codeDirectory, 'path');
  const { manifest } = plugin;
  if (!manifest) return;

  note({ at: 'import' });
  const resources = watchResources();
  const started = performance.now();
  let exported: unknown;
  try {
    exported = await importEntry(codeDirectory, manifest.main);
  } catch (error) {
    return note({ at: 'import-failed', reason: explainLoad(error, plugin) });
  }
  note({ at: 'imported', ms: Math.round(performance.now() - started) });
  try {
    asFactory(exported, manifest.main);
  } catch (error) {
    return note({ at: 'no-factory', reason: messageOf(error) });
  }

  const { options, unknown } = sampleOptions(manifest);
  if (unknown.length > 0) return note({ at: 'not-made', options: unknown });
  const keyName = (options.api_key_env ?? manifest.options.api_key_env?.default ?? SAMPLE_KEY_NAME) as string;
  const { providers, problems } = buildProviders(
    { entries: [givenEntry({ ...options, name: 'checked', driver: plugin.driver }, 'the sample options')] },
    {
      plugins: new PluginRegistry([plugin]),
      environment: new Environment({ processEnvironment: { ...process.env, [keyName]: 'sample-key' } }),
      redactor: new Redactor(),
      log: SILENT,
      cacheDirectory: folder,
      ownSecrets: new Set(),
    },
  );
  note({ at: 'make' });
  try {
    const [provider] = providers;
    if (!provider) throw new Error(problems.map(formatProblem).join('; '));
    await provider.openDriver();
    note({ at: 'made' });
  } catch (error) {
    note({ at: 'make-failed', reason: messageOf(error) });
  }
  await pause(QUIET_MS);
  note({ at: 'opened', what: resources.stop() });
}

const [, , directory = '', codeDirectory = '', folder = ''] = process.argv;
void tryPlugin(directory, codeDirectory, folder)
  .then(() => appendFileSync(join(folder, 'notes'), `${JSON.stringify({ at: 'end' } satisfies TrialNote)}\n`))
  .finally(() => process.exit());
