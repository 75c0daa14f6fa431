import type { FoundDaemon } from '../../daemon/client/find-daemon';
import { HintedError } from '../../errors';
import type { AskView, ExchangeView } from '../../record/exchange-view';
import { runningDaemon } from '../daemon/running-daemon';

/** Throws where no daemon runs: the recorder is in its memory. */
export async function recordingDaemon(): Promise<FoundDaemon> {
  const daemon = await runningDaemon();
  if (daemon) return daemon;
  throw new HintedError(
    'no daemon is running, so no request is kept',
    'run: drivebay serve; then send the request again',
  );
}

export async function readExchange(id: string, withContent = false): Promise<ExchangeView> {
  const { client } = await recordingDaemon();
  return client.get<ExchangeView>(`/v1/exchanges/${encodeURIComponent(id)}`, { content: withContent });
}

/** Who answered, or is asked now, by way of which route. */
export function whoOf({ provider = '', route, attempts }: ExchangeView): string {
  const more = attempts.length > 1 ? ` +${attempts.length - 1}` : '';
  return (route === undefined ? provider : `${route} > ${provider}`) + more;
}

/** The stage of an attempt that has not ended, or the kind of its failure. */
export function stageOf({ failure, endedMs, firstMs, askedMs, queuedMs }: AskView): string {
  if (failure !== undefined) return failure;
  if (endedMs !== undefined) return 'answered';
  if (firstMs !== undefined) return 'answering';
  if (askedMs !== undefined) return 'asked';
  return queuedMs === undefined ? 'waiting' : 'queued';
}
