import { isDriverError } from '../contract/driver-error';
import type { Used } from '../providers/caller';
import { pickUsage } from '../record/usage';
import { HttpError } from '../serving/http-error';
import type { Arrival } from './arrival';
import type { GatewayOptions } from './gateway-options';

const MODEL_LENGTH = 200;

/** What is known of a call. It becomes two events, and one line in the log; prompts and answers are in neither. */
export class CallRecord {
  model: string | undefined;
  used: Used | undefined;
  private provider: string | undefined;
  private status = 200;
  private error: Error | undefined;

  constructor(
    private readonly kind: string,
    private readonly dialect: string,
    private readonly arrival: Arrival,
    private readonly options: Pick<GatewayOptions, 'log' | 'publish'>,
  ) {}

  start(provider: string, model: string | undefined, stream: boolean): void {
    this.provider = provider;
    const { dialect } = this;
    this.options.publish?.(this.arrival.id, {
      type: 'start',
      dialect,
      provider,
      model: model?.slice(0, MODEL_LENGTH),
      stream,
    });
  }

  fail(error: Error, status: number): void {
    this.error = error;
    this.status = status;
  }

  end(): void {
    const { kind, dialect, provider, status, error, used } = this;
    const { id, startedMs } = this.arrival;
    const { log, publish } = this.options;
    const ms = Math.round(performance.now() - startedMs);
    const usage = used?.usage;
    const costUsd = used?.costUsd || undefined;
    const fields = {
      id,
      dialect,
      provider,
      model: (used?.model ?? this.model)?.slice(0, MODEL_LENGTH),
      status,
      ms,
      input_tokens: usage?.inputTokens,
      output_tokens: usage?.outputTokens,
      cost_usd: costUsd,
      warm: used?.warm,
    };
    if (error) {
      const isExpected = error instanceof HttpError || isDriverError(error) || status === 429;
      log[status < 500 ? 'info' : 'warn'](kind, { ...fields, error: isExpected ? error.message : error.stack });
    } else log.info(kind, fields);
    if (provider === undefined) return;
    const more = {
      usage: usage && pickUsage(usage),
      costUsd,
      firstMs: used?.firstMs,
      warm: used?.warm,
      error: error?.message,
    };
    publish?.(id, { type: 'end', status, ms, provider, ...more });
  }
}
