import { z } from 'zod';
import { projectInfoSchema } from '../daemon/control/protocol';
import { buildShellProgram } from './shell-program';
import { findDaemonQuietly } from './running-daemon';
import { projectRef } from './use-daemon';

const PID_COMMANDS = ['kill', 'wait', 'trace'];

/** What Tab offers at the end of a line: commands, their flags, providers, and the pids of processes that run. */
export async function complete(line: string): Promise<[string[], string]> {
  const words = line.split(/\s+/);
  const last = words.at(-1) ?? '';
  const all = await candidates(words.slice(0, -1).filter(Boolean), last);
  return [all.filter((word) => word.startsWith(last)).map((word) => `${word} `), last];
}

async function candidates(before: string[], last: string): Promise<string[]> {
  const { commands } = buildShellProgram(() => undefined);
  const [name] = before;
  if (name === undefined || (name === 'help' && before.length === 1)) {
    return ['help', ...commands.map((command) => command.name())];
  }
  if (before.at(-1) === '--provider') return providers();
  if (last.startsWith('-')) {
    const options = commands.find((command) => command.name() === name)?.options ?? [];
    return options.flatMap(({ long }) => long ?? []);
  }
  return PID_COMMANDS.includes(name) ? pids() : [];
}

async function providers(): Promise<string[]> {
  const daemon = await findDaemonQuietly();
  if (!daemon) return [];
  const project = await daemon.client.get('/v1/project', projectInfoSchema, projectRef({ project: true }));
  return project.providers.map(({ name }) => name);
}

async function pids(): Promise<string[]> {
  const daemon = await findDaemonQuietly();
  const schema = z.object({ processes: z.array(z.object({ pid: z.number() })) });
  return daemon ? (await daemon.client.get('/v1/processes', schema)).processes.map(({ pid }) => String(pid)) : [];
}
