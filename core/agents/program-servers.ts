import type { AgentToolServer } from '../contract/api';
import { makeLogger } from '../contract/make-logger';
import { hintOf, messageOf } from '../errors';
import type { ProcessRun } from './process-run';
import type { AllowedServer } from './tool-box';

/** The tool servers for the program of an agent. It starts them itself; nothing of them runs by then. */
export async function serversOfProgram(allowed: readonly AllowedServer[], run: ProcessRun): Promise<AgentToolServer[]> {
  const names = new Set<string>();
  // In turn: which of two servers has the plain name must not depend on which of them is found faster.
  const named = allowed.map((each) => ({ ...each, name: nameFor(each.server.name, names) }));
  const found = await Promise.all(named.map((each) => toProgram(each, run)));
  return found.filter((server) => server !== undefined);
}

async function toProgram(
  { name, server, only }: AllowedServer & { name: string },
  run: ProcessRun,
): Promise<AgentToolServer | undefined> {
  try {
    const found = await server.reach(run.workingDirectory);
    if (!only) return { name, ...found };
    return { name, ...found, only: [...only.keys()], others: () => othersOf({ server, only }, run) };
  } catch (error) {
    const message = `the tools of ${server.path} are left out: ${messageOf(error)}`;
    run.warn({ message, hint: hintOf(error) ?? `see: drivebay mcp check ${server.name}` });
    return undefined;
  }
}

/** Starts the server for this question alone: that of the program is another one. */
async function othersOf({ server, only }: AllowedServer, run: ProcessRun): Promise<string[]> {
  const seat = server.join({ workingDirectory: run.workingDirectory, log: makeLogger(() => undefined) });
  try {
    const tools = await seat.tools(run.signal);
    return tools.map(({ name }) => name).filter((name) => !only?.has(name));
  } finally {
    await seat.leave();
  }
}

/** Programs make `server__tool` of names. */
function nameFor(name: string, taken: Set<string>): string {
  const plain = name.replace(/[^A-Za-z0-9-]+/g, '_').replace(/^_|_$/g, '') || 'server';
  let unique = plain;
  for (let number = 2; taken.has(unique); number += 1) unique = `${plain}_${number}`;
  taken.add(unique);
  return unique;
}
