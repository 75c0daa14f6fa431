import type { WorkSpan } from '../contract/work-span';
import type { Attempt, LlmDevice } from '../devices/device';
import type { DeviceTable } from '../devices/device-table';
import type { Used } from '../providers/caller';
import { pickUsage } from '../record/usage';
import type { TurnedAway } from '../record/live-event';
import type { Exchange } from '../record/exchange';
import type { HttpError } from '../serving/http-error';
import type { FlightRecorder } from '../record/flight-recorder';
import type { Arrival } from './arrival';
import { whyTurnedAway } from './clients/turned-away';
import type { DialectCall } from './dialect';
import { refuseKey } from './route-model';
import { endRequestSpan, openRequestSpan } from './request-span';
import type { GatewayOptions } from './gateway-options';

const MODEL_LENGTH = 200;

/** Status of a call whose client left before the answer, in logs and events only. */
export const CLIENT_GONE = 499;

/** What is known of a call. It becomes two events, and one line in the log; prompts and answers are in neither. */
export class CallRecord {
  readonly span: WorkSpan | undefined;
  readonly exchange: Exchange | undefined;
  used: Used | undefined;
  private model: string | undefined;
  private provider: string | undefined;
  /** The model that the provider is asked for. */
  private asked: string | undefined;
  private route: string | undefined;
  private attempts: readonly Attempt[] = [];
  private status = 200;
  private error: Error | undefined;
  private isWarning = false;
  private isUnexplained = false;
  private turnedAway: TurnedAway | undefined;

  constructor(
    private readonly kind: string,
    private readonly dialect: string,
    private readonly arrival: Arrival,
    arrivedAt: number,
    private readonly options: Pick<
      GatewayOptions,
      'devices' | 'log' | 'publish' | 'tracing' | 'recorder' | 'recorded' | 'limits'
    >,
  ) {
    this.span = openRequestSpan(options.tracing, arrival, dialect);
    this.exchange = options.recorder && openExchange(options.recorder, kind, dialect, arrival, arrivedAt);
  }

  /** Notes what the client asks for. Throws where its model is a key, and keeps nothing of the request then. */
  noteCall(call: DialectCall, allowed: DeviceTable | undefined): DialectCall {
    try {
      refuseKey(call.model, allowed ?? this.options.devices);
    } catch (error) {
      this.exchange?.dropContent();
      throw error;
    }
    this.model = call.model;
    this.exchange?.noteCall(call);
    return call;
  }

  start({ name: provider, defaultModel }: LlmDevice, model: string | undefined, stream: boolean): void {
    this.provider = provider;
    this.asked = model ?? defaultModel;
    const { dialect } = this;
    const client = this.arrival.client?.name;
    this.options.publish?.(this.arrival.id, {
      type: 'start',
      dialect,
      client,
      provider,
      model: model?.slice(0, MODEL_LENGTH),
      stream,
    });
  }

  /** A route asks this target. The others did not answer. */
  turnTo({ name, defaultModel }: LlmDevice, model: string | undefined, attempts: readonly Attempt[]): void {
    this.route ??= this.provider;
    this.provider = name;
    this.asked = model ?? defaultModel;
    this.attempts = attempts;
  }

  /** A wire may tell the failure of a backend with a status of requests at fault. It is a warning all the same. */
  fail(error: Error, status: number, failure: HttpError): void {
    this.error = error;
    this.status = status;
    this.isWarning = status !== CLIENT_GONE && failure.status >= 500;
    this.isUnexplained = failure.code === 'internal_error';
    const { client } = this.arrival;
    this.turnedAway = client && whyTurnedAway(error);
    if (this.turnedAway) this.options.limits?.refusals.note(client!.name, this.turnedAway);
  }

  /** `booked`: whether it has reached a backend. */
  end(booked: boolean | undefined): void {
    const { kind, dialect, provider, route, attempts, status, error, used, turnedAway } = this;
    const { id, startedMs, own, client } = this.arrival;
    const { log, publish, recorded } = this.options;
    const ms = Math.round(performance.now() - startedMs);
    const overheadMs = own.ms;
    endRequestSpan(this.span, status, { provider, route, overheadMs });
    const usage = used?.usage;
    const costUsd = used?.costUsd || undefined;
    const nominalUsd = used?.nominalUsd || undefined;
    if (this.exchange) {
      this.exchange.end = { status, ms, overheadMs, provider, route, used, error: error?.message };
      recorded?.(this.exchange);
    }
    const fields = {
      id,
      dialect,
      client: client?.name,
      provider,
      route,
      attempts: attempts.length > 0 ? spellAttempts(attempts) : undefined,
      model: (used?.model ?? this.model)?.slice(0, MODEL_LENGTH),
      status,
      ms,
      overhead_ms: overheadMs,
      input_tokens: usage?.inputTokens,
      output_tokens: usage?.outputTokens,
      cost_usd: costUsd,
      nominal_usd: nominalUsd,
      warm: used?.warm,
    };
    if (error) {
      const text = this.isUnexplained ? error.stack : error.message;
      log[this.isWarning ? 'warn' : 'info'](kind, { ...fields, error: text });
    } else log.info(kind, fields);
    if (provider === undefined) {
      publish?.(id, { type: 'refused', dialect, client: fields.client, turnedAway, status, ms, overheadMs });
      return;
    }
    publish?.(id, {
      type: 'end',
      status,
      ms,
      provider,
      dialect,
      client: fields.client,
      model: (used?.model ?? this.asked)?.slice(0, MODEL_LENGTH),
      route,
      attempts: attempts.length > 0 ? [...attempts] : undefined,
      overheadMs,
      usage: usage && pickUsage(usage),
      costUsd,
      nominalUsd,
      firstMs: used?.firstMs,
      warm: used?.warm,
      turnedAway,
      booked,
      error: error?.message,
    });
  }
}

/** `first=usage_limit,second=timeout`, for the log and the header of an answer. */
export function spellAttempts(attempts: readonly Attempt[]): string {
  return attempts.map(({ provider, kind }) => `${provider}=${kind}`).join(',');
}

/** Where its client is named. Of all headers the recorder keeps this one alone: the others may hold keys. */
const AGENT_LENGTH = 200;

function openExchange(
  recorder: FlightRecorder,
  kind: string,
  dialect: string,
  { id, path, client, request, startedMs }: Arrival,
  arrivedAt: number,
): Exchange {
  const agent = request.headers['user-agent']?.slice(0, AGENT_LENGTH);
  return recorder.begin({ id, kind, dialect, path, client: client?.name, agent, arrivedAt, startedMs });
}
