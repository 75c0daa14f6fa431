import type { Logger, Usage } from '../contract/api';
import { isDriverError } from '../contract/driver-error';
import type { RequestEvent } from '../record/live-event';
import { pickUsage } from '../record/usage';
import { HttpError } from '../serving/http-error';

/** Clients may send a text of any length as a model. */
const MODEL_LENGTH = 200;

/** What is known of a call when it is over. */
export interface CallRecord {
  provider?: string;
  model?: string;
  status: number;
  usage?: Usage;
  costUsd?: number;
  error?: Error;
}

export function startEvent(provider: string, model: string | undefined, stream: boolean): RequestEvent {
  return { type: 'start', provider, model: model?.slice(0, MODEL_LENGTH), stream };
}

export function endEvent(provider: string, { status, usage, costUsd, error }: CallRecord, ms: number): RequestEvent {
  return {
    type: 'end',
    status,
    ms: Math.round(ms),
    provider,
    usage: usage && pickUsage(usage),
    costUsd,
    error: error?.message,
  };
}

/** The one line about a call. Prompts and answers are never in it. */
export function logCall(log: Logger, kind: string, id: string, record: CallRecord, ms: number): void {
  const { provider, model, status, usage, costUsd, error } = record;
  const fields = {
    id,
    provider,
    model: model?.slice(0, MODEL_LENGTH),
    status,
    ms: Math.round(ms),
    input_tokens: usage?.inputTokens,
    output_tokens: usage?.outputTokens,
    cost_usd: costUsd,
  };
  if (!error) {
    log.info(kind, fields);
    return;
  }
  const isExpected = error instanceof HttpError || isDriverError(error) || status === 429;
  log[status < 500 ? 'info' : 'warn'](kind, { ...fields, error: isExpected ? error.message : error.stack });
}
