import { formatTime } from '../../contract/wall-clock';
import type { ExchangeView } from '../../record/exchange-view';
import { formatCount, formatDuration, shorten } from '../terminal/format';
import { formatTable, printNote, printReport } from '../terminal/print';
import { recordingDaemon, stageOf, whoOf } from './exchanges';

const HEADS = ['ID', 'Time', 'API', 'Client', 'Provider', 'Model', 'Status', 'Queue', 'First', 'Total', 'Tokens'];

/** `debug`: the last requests at the gateways, with those that are not answered yet. */
export async function debugList({ last, json }: { last: number; json?: boolean }): Promise<void> {
  const { client } = await recordingDaemon();
  const { exchanges } = await client.get<{ exchanges: ExchangeView[] }>('/v1/exchanges', { last });
  printReport(json, { exchanges }, () => formatTable(HEADS, exchanges.map(toRow)));
  if (json) return;
  printNote(
    exchanges.length > 0
      ? 'more of one: drivebay debug show ID'
      : 'no request is recorded since the daemon started; requests without a valid key are not kept',
  );
}

function toRow(exchange: ExchangeView) {
  const { id, arrivedAt, dialect, client = '', model = '', state, status, ms, usage, attempts } = exchange;
  const last = attempts.at(-1);
  const waited = last?.queuedMs !== undefined && last.askedMs !== undefined ? last.askedMs - last.queuedMs : undefined;
  const isGood = (status ?? 0) < 400;
  const text = state === 'running' ? (last ? stageOf(last) : 'arriving') : String(status);
  return [
    id,
    formatTime(arrivedAt).slice('2026-11-21 '.length),
    dialect,
    client,
    whoOf(exchange),
    shorten(model, 30),
    { text, colour: state === 'running' ? ('yellow' as const) : isGood ? ('green' as const) : ('red' as const) },
    waited === undefined ? '' : formatDuration(waited),
    last?.firstMs === undefined ? '' : formatDuration(last.firstMs),
    formatDuration(ms),
    usage ? formatCount(usage.inputTokens + usage.outputTokens) : '',
  ];
}
