import { resolve } from 'node:path';
import { z } from 'zod';
import type { SpawnRequest } from '../../agents/spawn-request';
import type { FoundDaemon } from '../../daemon/client/find-daemon';
import { UsageError } from '../../errors';
import { AttachedRun } from './attached-run';
import { printAnswer, printJson, printNote } from '../terminal/print';
import { readStdin } from '../terminal/read-stdin';
import { untilInterrupted } from '../terminal/until-interrupted';
import { ensureDaemon, openAtDaemon, projectRef } from '../daemon/use-daemon';
import { workingDirectory } from '../working-directory';

/** An empty text counts as not given. */
export interface RunOptions {
  provider?: string;
  model?: string;
  reasoningEffort?: string;
  /** How the option before is spelled where it was typed. Default: --reasoning-effort. */
  effortFlag?: string;
  agent?: string;
  skill?: string[];
  json?: boolean;
  detach?: boolean;
  /** Whether text on stdin belongs to the intent. */
  stdin: boolean;
  project: boolean;
}

/** `drivebay "<intent>"`: an agent process on the daemon, with its answer on stdout. The exit code says how it ended. */
export async function run(words: string[], options: RunOptions): Promise<void> {
  const intent = words.join(' ');
  if (intent.trim() === '') throw new UsageError('the intent is empty', 'say what to do: drivebay "<intent>"');
  const { daemon, body } = await untilInterrupted(prepare(intent, options));
  if (options.detach) return detach(daemon, body, options);
  process.exitCode = await new AttachedRun(daemon.client, { json: options.json ?? false }).complete(body);
}

type Body = Omit<SpawnRequest, 'skills'> & { skills: string[]; project: ReturnType<typeof projectRef> };

async function prepare(intent: string, options: RunOptions): Promise<{ daemon: FoundDaemon; body: Body }> {
  const { provider, model, reasoningEffort: effort, agent, skill: skills = [] } = options;
  const project = projectRef(options);
  const [daemon, text] = await Promise.all([
    ensureDaemon().then(async (found) => {
      await openAtDaemon(found, project);
      return found;
    }),
    options.stdin ? readStdin() : undefined,
  ]);
  const body = {
    intent: text?.trim() ? `${intent}\n\n${text}` : intent,
    workingDirectory: workingDirectory(),
    ...{ provider, model, effort, skills, project },
    ...(options.effortFlag && { effortFlag: options.effortFlag }),
    ...(agent && { agentFile: resolve(workingDirectory(), agent) }),
  };
  return { daemon, body };
}

const startedSchema = z.object({ pid: z.number(), uuid: z.string() });

async function detach({ client }: FoundDaemon, body: Body, { json }: RunOptions): Promise<void> {
  const started = await client.call('POST', '/v1/processes', startedSchema, { body: { ...body, attach: false } });
  if (json) printJson(started);
  else printAnswer(String(started.pid));
  printNote(`process ${started.pid} runs in the background; to see it: drivebay trace -f ${started.pid}`);
}
