import { existsSync } from 'node:fs';
import { join, resolve } from 'node:path';
import type { ComposeAgentView, ComposeView } from '../../agents/compose/compose-event';
import type { FoundDaemon } from '../../daemon/client/find-daemon';
import { HintedError, UsageError } from '../../errors';
import { askingFirst } from '../agents/ask-first';
import type { CommonFlags } from '../command-options';
import { daemonWith, projectRef, sayUnconfigured } from '../daemon/project-at-daemon';
import { runningDaemon } from '../daemon/running-daemon';
import { EXIT } from '../exit-codes';
import { pathsHere, workingDirectory } from '../here';
import { formatTable, printAnswer, printNote, printReport } from '../terminal/print';
import { untilInterrupted } from '../terminal/signals';
import { AttachedCompose } from './attached-compose';

/** `compose up`: runs the agents of a file. The exit code is 0 when all of them are done. */
export async function composeUp(file: string | undefined, options: CommonFlags & { detach?: boolean }): Promise<void> {
  const { json = false, detach } = options;
  const project = projectRef(options);
  const body = { file: needComposeFile(file), workingDirectory: workingDirectory(), project };
  const { client, project: opened } = await untilInterrupted(daemonWith(project));
  process.exitCode = await askingFirst(async (asked) => {
    if (!detach) return new AttachedCompose(client, { json }).complete('/v1/compose', { ...body, ...asked });
    const options = { body: { ...body, ...asked, attach: false } };
    const started = await client.call<{ name: string; file: string }>('POST', '/v1/compose', options);
    printReport(json, started, () => started.name);
    printNote(`compose "${started.name}" runs in the background; to see it: drivebay compose ps`);
    return EXIT.ok;
  });
  if (process.exitCode === EXIT.failure) await sayUnconfigured(opened);
}

export async function composePs(file: string | undefined, { json }: { json?: boolean }): Promise<void> {
  const runs = await listRuns(await runningDaemon());
  const shown = file ? runs.filter((run) => isMeant(run, file)) : runs;
  printReport(json, { runs: shown }, () => {
    const rows = shown.flatMap(({ name, agents }) => agents.map((agent) => toRow(name, agent)));
    return formatTable(['Run', 'Agent', 'State', 'PID', 'Needs', 'Message'], rows);
  });
  if (shown.length === 0 && !json) printNote('no compose run is running; to start one: drivebay compose up');
}

export async function composeDown(file: string | undefined): Promise<void> {
  const daemon = await runningDaemon();
  const runs = await listRuns(daemon);
  // Where this folder has a file, the command means its run and no other.
  const wanted = file ?? findComposeFile(undefined);
  const [run, another] = wanted === undefined ? runs : runs.filter((each) => isMeant(each, wanted));
  const names = runs.map(({ name }) => name).join(', ');
  if (another) {
    throw new UsageError(`more than one compose run is running: ${names}`, 'name one: drivebay compose down NAME');
  }
  if (!daemon || !run) {
    const isNone = wanted === undefined || (!file && runs.length === 0);
    const fault = isNone ? 'no compose run is running' : `nothing of ${wanted} is running`;
    throw new HintedError(fault, names && `running: ${names}`);
  }
  const path = `/v1/compose/${encodeURIComponent(run.name)}/down`;
  await untilInterrupted(daemon.client.call('POST', path));
  printAnswer(`compose "${run.name}" has ended`);
}

async function listRuns(daemon: FoundDaemon | undefined): Promise<ComposeView[]> {
  return daemon ? (await daemon.client.get<{ runs: ComposeView[] }>('/v1/compose')).runs : [];
}

/** The argument names a file or a run. */
function isMeant({ name, file }: ComposeView, wanted: string): boolean {
  return name === wanted || file === findComposeFile(wanted);
}

function toRow(run: string, { agent, state, pid, needs, message }: ComposeAgentView): string[] {
  return [run, agent, state, pid === undefined ? '' : String(pid), needs.join(', '), message ?? ''];
}

/** The compose file that an argument names. Without an argument, the file at one of its usual places. */
function findComposeFile(file: string | undefined): string | undefined {
  return file ? resolve(workingDirectory(), file) : usualPlaces().find((path) => existsSync(path));
}

function needComposeFile(file: string | undefined): string {
  const found = findComposeFile(file);
  if (found !== undefined) return found;
  const places = usualPlaces().join(', ');
  throw new UsageError(`there is no compose file (looked for ${places})`, 'name one: drivebay compose up FILE');
}

function usualPlaces(): string[] {
  const { projectRoot } = pathsHere();
  const here = join(workingDirectory(), 'compose.yaml');
  return projectRoot === undefined ? [here] : [here, join(projectRoot, '.drivebay', 'compose.yaml')];
}
