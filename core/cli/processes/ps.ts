import type { ProcessSummary } from '../../record/process-summary';
import { readAllProcesses } from './find-process';
import { formatCost, formatCount, formatDuration, shorten } from '../terminal/format';
import { paint, printAnswer, printJson, printNote } from '../terminal/print';
import { formatTable } from '../terminal/table';

export interface PsOptions {
  all?: boolean;
  json?: boolean;
}

const WIDTH = 120;
const SHORTEST_INTENT = 20;
const PAINTS: Record<ProcessSummary['state'], (text: string) => string> = {
  created: (text) => paint('dim', text),
  running: (text) => paint('yellow', text),
  done: (text) => paint('green', text),
  failed: (text) => paint('red', text),
  killed: (text) => paint('red', text),
};

/** `ps`: the agent processes that run, or all of which there is a record. Needs no daemon. */
export async function ps({ all, json }: PsOptions): Promise<void> {
  const { list } = await readAllProcesses();
  const shown = all ? list : list.filter(({ end }) => !end);
  if (json) {
    printJson({ processes: shown });
    return;
  }
  const intentLength = Math.max(SHORTEST_INTENT, (process.stdout.columns ?? WIDTH) - 80);
  printAnswer(
    formatTable(
      HEADS,
      shown.map((each) => toRow(each, intentLength)),
    ),
  );
  if (shown.length === 0)
    printNote(all ? 'no process has run yet' : 'no process is running; for those that were: drivebay ps -a');
}

const HEADS = ['PID', 'State', 'Provider', 'Model', 'Steps', 'Tokens', 'Cost', 'Time', 'Name', 'Intent'];

function toRow(summary: ProcessSummary, intentLength: number) {
  const { pid, state, provider, model, steps, usage, costUsd, name, intent } = summary;
  const { createdAt, startedAt = createdAt, endedAt = Date.now() } = summary;
  return [
    String(pid),
    { text: state, paint: PAINTS[state] },
    provider ?? '',
    shorten(model ?? '', 30),
    String(steps),
    formatCount(usage.inputTokens + usage.outputTokens),
    formatCost(costUsd),
    formatDuration(endedAt - startedAt),
    name ?? '',
    shorten(intent, intentLength),
  ];
}
