import type { Replay, Run } from '../../daemon/debug/replay';
import { projectRef } from '../daemon/project-at-daemon';
import { EXIT } from '../exit-codes';
import { formatCost, formatCount, formatDuration } from '../terminal/format';
import { formatTable, printNote, printReport } from '../terminal/print';
import { describeAnswer } from './debug-show';
import { recordingDaemon } from './exchanges';

interface ReplayOptions {
  provider?: string;
  model?: string;
  withContent?: boolean;
  json?: boolean;
  project: boolean;
}

const HEADS = ['', 'Provider', 'Model', 'Outcome', 'First', 'Total', 'Tokens', 'Cost', 'Characters', 'Tool calls'];

/** `debug replay`: sends a request again. Exit code 1 where no answer comes. */
export async function debugReplay(id: string, options: ReplayOptions): Promise<void> {
  const { provider, model, withContent: content = false, json } = options;
  const { client } = await recordingDaemon();
  const body = { project: projectRef(options), provider, model, content };
  const path = `/v1/exchanges/${encodeURIComponent(id)}/replay`;
  const report = await client.call<Replay>('POST', path, { body });
  printReport(json, report, () => describe(report));
  if (!json && !content) printNote('to see both answers and the messages of failures, add --with-content');
  if (report.replayed.failed) process.exitCode = EXIT.failure;
}

function describe({ recorded, replayed, isSame }: Replay): string {
  const table = formatTable(HEADS, [toRow('recorded', recorded), toRow('again', replayed)]);
  const isSilent = recorded.failed && replayed.failed;
  const outcome = isSilent
    ? 'no answer came, then and now'
    : isSame
      ? 'the answers are the same'
      : 'the answers differ';
  return [table, outcome, ...showAnswer('recorded', recorded), ...showAnswer('again', replayed)].join('\n\n');
}

function toRow(name: string, run: Run): string[] {
  const {
    provider = '',
    model = '',
    ms,
    firstMs,
    usage,
    costUsd = 0,
    finish = '',
    characters,
    toolCalls,
    failed,
  } = run;
  const first = firstMs === undefined ? '' : formatDuration(firstMs);
  const tokens = usage ? formatCount(usage.inputTokens + usage.outputTokens) : '';
  const outcome = failed ? 'failed' : finish;
  const rest = [tokens, formatCost(costUsd), formatCount(characters), formatCount(toolCalls)];
  return [name, provider, model, outcome, first, formatDuration(ms), ...rest];
}

function showAnswer(name: string, { answer, error }: Run): string[] {
  if (!answer) return [];
  return [`${name}:\n${error === undefined ? describeAnswer(answer) : `failed: ${error}`}`];
}
