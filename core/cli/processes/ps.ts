import { ProcessFiles } from '../../record/process-files';
import type { ProcessSummary } from '../../record/process-summary';
import { DAEMON_DIED } from '../../record/read-processes';
import { countOf, formatCost, formatCount, formatDuration, shorten } from '../terminal/format';
import { formatTable, printNote, printReport } from '../terminal/print';
import { sayUnkept } from '../folder-fault';
import { readAllProcesses } from './find-process';

const WIDTH = 120;
const SHORTEST_INTENT = 20;
const HEADS = ['PID', 'State', 'Provider', 'Model', 'Steps', 'Tokens', 'Cost', 'Time', 'Name', 'Intent'];
const COLOURS = { created: 'dim', running: 'yellow', done: 'green', failed: 'red', killed: 'red' } as const;

/** `ps`: the agent processes that run, or all that have a record. Needs no daemon. */
export async function ps({ all, json }: { all?: boolean; json?: boolean }): Promise<void> {
  const { state, list, daemon } = await readAllProcesses();
  const shown = all ? list : list.filter(({ end }) => !end);
  const intentLength = Math.max(SHORTEST_INTENT, (process.stdout.columns ?? WIDTH) - 80);
  const toText = () => {
    const rows = shown.map((each) => toRow(each, intentLength));
    return formatTable(HEADS, rows);
  };
  printReport(json, { processes: shown }, toText);
  if (!daemon) await sayLeft(list);
  const files = new ProcessFiles(state);
  if (all && (await sayUnkept('records', files.directory, files.index))) return;
  if (shown.length > 0 || json) return;
  printNote(all ? 'no process has run yet' : 'no process is running; for those that have ended: drivebay ps -a');
}

/** The next daemon ends what a killed one has left. Until then it goes on, and may change files. */
async function sayLeft(list: readonly ProcessSummary[]): Promise<void> {
  const dead = list.filter(({ end }) => end?.reason === DAEMON_DIED.reason).map((each) => each.daemon);
  if (dead.length === 0) return;
  const { programsOf } = await import('../../subprocess/reap-leftovers');
  const left = await programsOf(new Set(dead));
  if (left.length === 0) return;
  const which = `${countOf(left.length, 'program')} of agents whose daemon was killed still ${left.length === 1 ? 'runs' : 'run'}`;
  printNote(`warning: ${which} (pid ${left.join(', ')}); to end what is left: drivebay daemon start`);
}

function toRow(summary: ProcessSummary, intentLength: number) {
  const { pid, state, provider, model, steps, usage, costUsd, nominalUsd, name, intent } = summary;
  const { createdAt, startedAt = createdAt, endedAt = Date.now() } = summary;
  return [
    String(pid),
    { text: state, colour: COLOURS[state] },
    provider ?? '',
    shorten(model ?? '', 30),
    String(steps),
    formatCount(usage.inputTokens + usage.outputTokens),
    formatCost(costUsd, nominalUsd),
    formatDuration(endedAt - startedAt),
    name ?? '',
    shorten(intent, intentLength),
  ];
}
