import { Console } from 'node:console';
import { appendFileSync } from 'node:fs';
import { join } from 'node:path';
import { setTimeout as pause } from 'node:timers/promises';
import { Worker } from 'node:worker_threads';
import { formatProblem, messageOf } from '../../errors';
import { readPlugin } from '../../plugins/discover';
import { asFactory, importEntry } from '../../plugins/load';
import { explainLoad } from '../../plugins/registry';
import { makeProvider } from './make-provider';
import { SAMPLE_KEY_NAME, sampleOptions } from './sample-options';
import { SILENT } from './run-program';
import type { TrialNotes } from './check-loading';
import { watchResources } from './watch-resources';

/** Long enough to see what a factory starts in the background. */
const QUIET_MS = 100;

/** A command that is killed ends nothing. A thread of its own looks for that, because the plug-in may loop. */
const WATCH = `
const { workerData: parent } = require('node:worker_threads');
setInterval(() => process.ppid === parent || process.kill(process.pid, 'SIGKILL'), 500);`;

/**
 * The program of the trial process of `plugins check`. Loads one plug-in and makes a driver, as the daemon does.
 * Writes each note to a file at once, because a plug-in may print, hang, or end the process.
 */
async function tryPlugin(directory: string, codeDirectory: string, folder: string): Promise<void> {
  const note = (line: TrialNotes) => appendFileSync(join(folder, 'notes'), `${JSON.stringify(line)}\n`);
  const rejected: string[] = [];
  process.on('unhandledRejection', (reason) => {
    rejected.push(messageOf(reason));
    note({ rejected });
  });
  // As in the daemon: the output of a plug-in must not mix with the output of a command.
  globalThis.console = new Console(process.stderr, process.stderr);
  const plugin = readPlugin(directory, codeDirectory, 'path');
  const { manifest } = plugin;
  if (!manifest) return;

  const opened = watchResources();
  const started = performance.now();
  let exported: unknown;
  try {
    exported = await importEntry(codeDirectory, manifest.main);
  } catch (error) {
    return note({ importFailed: explainLoad(error, plugin) });
  }
  note({ importMs: Math.round(performance.now() - started) });
  try {
    asFactory(exported, manifest.main);
  } catch (error) {
    return note({ noFactory: messageOf(error) });
  }

  const { options, unknown } = sampleOptions(manifest);
  if (unknown.length > 0) return note({ notMade: unknown });
  const keyName = (options.api_key_env ?? manifest.options.api_key_env?.default ?? SAMPLE_KEY_NAME) as string;
  const { provider, problems } = makeProvider(plugin, options, {
    source: 'the sample options',
    environment: { ...process.env, [keyName]: 'sample-key' },
    log: SILENT,
    cacheDirectory: folder,
  });
  note({ isMaking: true });
  const making = performance.now();
  try {
    if (!provider) throw new Error(problems.map(formatProblem).join('; '));
    await provider.openDriver();
    note({ makeMs: Math.round(performance.now() - making) });
  } catch (error) {
    note({ makeFailed: messageOf(error) });
  }
  await pause(QUIET_MS);
  note({ opened: [...opened] });
}

new Worker(WATCH, { eval: true, workerData: process.ppid }).unref();
const [, , directory = '', codeDirectory = '', folder = ''] = process.argv;
void tryPlugin(directory, codeDirectory, folder)
  .then(() => appendFileSync(join(folder, 'notes'), `${JSON.stringify({ isComplete: true } satisfies TrialNotes)}\n`))
  .finally(() => process.exit());
