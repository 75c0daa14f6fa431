import { suggestName } from '../../config/did-you-mean';
import { makeLogger } from '../../contract/make-logger';
import { nameOrHidden } from '../../contract/secrets';
import type { ServerTool, ToolServer } from '../../devices/tool-server';
import { hintOf, messageOf, UsageError } from '../../errors';
import type { CommonFlags } from '../command-options';
import { EXIT } from '../exit-codes';
import { workingDirectory } from '../here';
import { withProjectHere } from '../open-project';
import { countOf, formatDuration, shorten } from '../terminal/format';
import { paint, printNote, printReport, printWarnings } from '../terminal/print';
import { untilInterrupted } from '../terminal/signals';
import { printable } from '../../log/printable';

const DESCRIPTION_LENGTH = 80;

interface ServerCheck {
  name: string;
  ok: boolean;
  ms: number;
  tools: readonly ServerTool[];
  /** Why it failed, or what was left out. */
  notes: string[];
  hint?: string;
}

/** `mcp check`: starts the servers that may be started, side by side, lists their tools, and ends them. */
export async function mcpCheck(name: string | undefined, { json, project: useProject }: CommonFlags): Promise<void> {
  await withProjectHere({ useProject }, async ({ project }) => {
    printWarnings(project.takeNotices());
    const servers =
      name === undefined ? project.toolServers : [chooseServer(project.toolServers, name, project.heldServers)];
    const checks = await untilInterrupted(Promise.all(servers.map(checkServer)));
    if (checks.length === 0 && !json) sayNone(project.heldServers.length);
    else printReport(json, { servers: checks.map(toJson) }, () => checks.map(formatCheck).join('\n'));
    if (checks.some(({ ok }) => !ok)) process.exitCode = EXIT.failure;
  });
}

function sayNone(held: number): void {
  const waiting = held === 1 ? '1 tool server of this project waits' : `${held} tool servers of this project wait`;
  if (held > 0) printNote(`nothing was started: ${waiting} for trust; look at the file, then run: drivebay trust`);
  else printNote('no tool server is configured, or each is disabled; see: drivebay mcp list, drivebay mcp add --help');
}

export function chooseServer(servers: readonly ToolServer[], name: string, held: readonly string[]): ToolServer {
  const found = servers.find((server) => server.name === name);
  if (found) return found;
  if (held.some((path) => path.endsWith(`/${name}`))) {
    throw new UsageError(
      `tool server "${name}" of this project is not trusted yet`,
      'look at the file, then run: drivebay trust',
    );
  }
  const names = servers.map((server) => server.name);
  const all = names.length > 0 ? `servers: ${names.join(', ')}` : 'none is configured; see: drivebay mcp add --help';
  throw new UsageError(`there is no tool server ${nameOrHidden(name)}`, suggestName(name, names, all));
}

export async function checkServer(server: ToolServer): Promise<ServerCheck> {
  const notes: string[] = [];
  const log = makeLogger((level, message) => void (level === 'warn' && notes.push(message)));
  const startedAt = performance.now();
  const seat = server.join({ workingDirectory: workingDirectory(), log });
  const end = (ok: boolean, tools: readonly ServerTool[], hint?: string): ServerCheck => {
    const ms = Math.round(performance.now() - startedAt);
    return { name: server.name, ok, ms, tools, notes, hint };
  };
  try {
    return end(true, await seat.tools(new AbortController().signal));
  } catch (error) {
    notes.unshift(messageOf(error));
    return end(false, [], hintOf(error));
  } finally {
    await seat.leave();
  }
}

export function formatCheck({ name, ok, ms, tools, notes, hint }: ServerCheck): string {
  const state = ok
    ? paint('green', `${countOf(tools.length, 'tool')} in ${formatDuration(ms)}`)
    : paint('red', 'failed');
  const lines = [
    `${name}: ${state}`,
    ...notes.map((note) => `  ${note}`),
    ...(hint === undefined ? [] : [`  ${hint}`]),
    ...tools.map((tool) => `  ${tool.name}  ${shorten(tool.description ?? '', DESCRIPTION_LENGTH)}`.trimEnd()),
  ];
  return lines.map((line, index) => (index === 0 ? line : printable(line))).join('\n');
}

function toJson({ hint, ...check }: ServerCheck) {
  return { ...check, hint: hint ?? null };
}
