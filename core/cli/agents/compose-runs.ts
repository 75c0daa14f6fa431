import { z } from 'zod';
import type { ComposeAgentView, ComposeView } from '../../agents/compose/compose-event';
import type { FoundDaemon } from '../../daemon/client/find-daemon';
import { composeViewSchema } from '../../daemon/control/compose-schema';
import { HintedError, UsageError } from '../../errors';
import { findComposeFile } from './compose-file';
import { printAnswer, printJson, printNote } from '../terminal/print';
import { formatTable } from '../terminal/table';
import { untilInterrupted } from '../terminal/until-interrupted';
import { runningDaemon } from '../daemon/running-daemon';

const listSchema = z.object({ runs: z.array(composeViewSchema) });

/** `compose ps`: the runs that go on, or that of one file. */
export async function composePs(file: string | undefined, { json }: { json?: boolean }): Promise<void> {
  const runs = await listRuns(await runningDaemon());
  const shown = file ? runs.filter((run) => isMeant(run, file)) : runs;
  if (json) {
    printJson({ runs: shown });
    return;
  }
  const rows = shown.flatMap(({ name, agents }) => agents.map((agent) => toRow(name, agent)));
  printAnswer(formatTable(['Run', 'Agent', 'State', 'PID', 'Needs', 'Message'], rows));
  if (shown.length === 0) printNote('no compose run goes on; to start one: drivebay compose up');
}

/** `compose down`: ends a run, and resolves when nothing of it is left. */
export async function composeDown(file: string | undefined): Promise<void> {
  const daemon = await runningDaemon();
  const runs = await listRuns(daemon);
  const run = chooseRun(runs, file);
  if (!daemon || !run) throw nothingToEnd(file, runs);
  const path = `/v1/compose/${encodeURIComponent(run.name)}/down`;
  await untilInterrupted(daemon.client.call('POST', path, z.unknown()));
  printAnswer(`compose "${run.name}" has ended`);
}

function nothingToEnd(file: string | undefined, runs: ComposeView[]): HintedError {
  const wanted = file ?? (runs.length > 0 ? findComposeFile(undefined) : undefined);
  return new HintedError(
    wanted === undefined ? 'no compose run goes on' : `nothing of ${wanted} runs`,
    runs.length > 0 ? `runs that go on: ${runs.map(({ name }) => name).join(', ')}` : undefined,
  );
}

async function listRuns(daemon: FoundDaemon | undefined): Promise<ComposeView[]> {
  return daemon ? (await daemon.client.get('/v1/compose', listSchema)).runs : [];
}

function chooseRun(runs: ComposeView[], file: string | undefined): ComposeView | undefined {
  if (file) return runs.find((run) => isMeant(run, file));
  const usual = findComposeFile(undefined);
  // Where there is a file, the run of another one is not meant.
  if (usual !== undefined) return runs.find((run) => run.file === usual);
  if (runs.length < 2) return runs[0];
  const names = runs.map(({ name }) => name).join(', ');
  throw new UsageError(`more than one compose run goes on: ${names}`, 'name one: drivebay compose down NAME');
}

/** By its file, or by its name. */
function isMeant({ name, file }: ComposeView, wanted: string): boolean {
  return name === wanted || file === findComposeFile(wanted);
}

function toRow(run: string, { agent, state, pid, needs, message }: ComposeAgentView): string[] {
  return [run, agent, state, pid === undefined ? '' : String(pid), needs.join(', '), message ?? ''];
}
