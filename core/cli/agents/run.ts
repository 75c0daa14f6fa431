import { resolve } from 'node:path';
import type { SpawnRequest } from '../../agents/spawn-request';
import type { FoundDaemon } from '../../daemon/client/find-daemon';
import type { ProjectRef } from '../../daemon/control/protocol';
import { UsageError } from '../../errors';
import type { ProcessView } from '../../record/process-view';
import type { CommonFlags } from '../command-options';
import { daemonWith, type OpenedDaemon, projectRef, sayUnconfigured } from '../daemon/project-at-daemon';
import { EXIT } from '../exit-codes';
import { workingDirectory } from '../here';
import { printNote, printReport } from '../terminal/print';
import { readStdin } from '../terminal/read-stdin';
import { untilInterrupted } from '../terminal/signals';
import { type AskUser, askingFirst } from './ask-first';
import { AttachedRun } from './attached-run';
import { findEarlier } from './find-earlier';
import { unshield } from './spawn-options';

/** An empty text counts as not given. */
export interface RunOptions extends CommonFlags {
  provider?: string;
  model?: string;
  reasoningEffort?: string;
  /** The name of the effort option where the user typed it. Default: --reasoning-effort. */
  effortFlag?: string;
  agent?: string;
  skill?: string[];
  /** The process to continue; empty: the newest of this folder. */
  continue?: string;
  detach?: boolean;
  stdin: boolean;
  /** How to ask the user. Default: at the terminal. */
  ask?: AskUser;
}

/** `drivebay "<intent>"`: an agent process at the daemon, with its answer on stdout. The exit code says how it ended. */
export async function run(words: string[], options: RunOptions): Promise<void> {
  const intent = words.map(unshield).join(' ');
  if (intent.trim() === '') throw emptyIntent();
  const { daemon, body } = await untilInterrupted(prepare(intent, options));
  const { json = false } = options;
  process.exitCode = await askingFirst(
    (asked) => {
      const request = { ...body, ...asked };
      if (options.detach) return detach(daemon, request, json);
      return new AttachedRun(daemon.client, { json }).complete('/v1/processes', request);
    },
    options.ask,
    body.workingDirectory,
  );
  if (process.exitCode === EXIT.failure) await sayUnconfigured(daemon.project);
}

/** In place of an intent: all of it comes from stdin. */
const STDIN = '-';

function emptyIntent(): UsageError {
  return new UsageError('the intent is empty', 'say what to do: drivebay "<intent>", or from a pipe: drivebay -');
}

type Body = SpawnRequest & { project: ProjectRef };

async function prepare(intent: string, options: RunOptions): Promise<{ daemon: OpenedDaemon; body: Body }> {
  const { provider, model, reasoningEffort: effort, effortFlag, agent, skill: skills = [] } = options;
  const earlier = options.continue === undefined ? undefined : await findEarlier(options.continue);
  const folder = earlier?.workingDirectory ?? workingDirectory();
  const project = projectRef(options, folder);
  // The project opens while text comes from stdin.
  const [daemon, text] = await Promise.all([
    daemonWith(project, provider ?? earlier?.provider),
    options.stdin ? readStdin() : undefined,
  ]);
  const wanted = { provider, model, effort, effortFlag, skills };
  const parts = intent === STDIN ? [text] : [intent, text];
  const whole = parts.filter((part) => part?.trim()).join('\n\n');
  if (whole === '') throw emptyIntent();
  const agentFile = agent ? resolve(workingDirectory(), agent) : undefined;
  const continues = earlier?.pid;
  return { daemon, body: { ...wanted, intent: whole, workingDirectory: folder, agentFile, continues, project } };
}

async function detach({ client }: FoundDaemon, body: Body, json: boolean): Promise<number> {
  const options = { body: { ...body, attach: false } };
  const started = await client.call<Pick<ProcessView, 'pid' | 'uuid'>>('POST', '/v1/processes', options);
  printReport(json, started, () => String(started.pid));
  printNote(`process ${started.pid} runs in the background; to see it: drivebay trace -f ${started.pid}`);
  return EXIT.ok;
}
