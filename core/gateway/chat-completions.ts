import type { IncomingMessage, ServerResponse } from 'node:http';
import type { ChatEvent, Usage } from '../contract/api';
import { messageOf } from '../errors';
import type { RequestEvent } from '../record/live-event';
import { DriverError, isDriverError } from '../contract/driver-error';
import { CallAborted } from '../providers/call-clock';
import type { Caller } from '../providers/caller';
import type { TurnResult } from '../providers/chat-turn';
import type { DeviceTable } from '../devices/device-table';
import { isJson, readBody } from '../serving/read-body';
import { sendLongText } from '../serving/send';
import { answerHead } from './answer-head';
import { Completion } from './completion';
import { GatewayError, toGatewayError } from './gateway-error';
import { type GatewayRequest, parseRequest } from './parse-request';
import { refuseOversized } from './refuse-raw';
import { type ReplayGuard, runFingerprint } from './replay-guard';
import { type Route, routeModel } from './route-model';
import { sendError } from './send-error';
import { StreamAnswer } from './stream-answer';

export interface ChatSurroundings {
  devices: DeviceTable;
  defaultProvider: string | undefined;
  replays: ReplayGuard;
  /** The calls under way, so that a shutdown can end them. */
  running: Set<AbortController>;
  /** Told when a request has found its provider; absent: nobody watches. */
  publish?: ((request: string, event: RequestEvent) => void) | undefined;
}

/** What the request's log line says. */
export interface ChatRecord {
  provider?: string;
  model?: string;
  status: number;
  usage?: Usage;
  costUsd?: number;
  error?: Error;
}

/** Clients may send any text as a model. */
export const MODEL_LENGTH = 200;

export const BODY_LIMIT = 4 * 1024 * 1024;

const GATEWAY = { type: 'gateway' } as const;

/** Status of a request whose client left before the answer, in logs only. */
const CLIENT_GONE = 499;

/** POST /v1/chat/completions: the hot route. Answers every failure itself and never rejects. */
export async function chatCompletions(
  request: IncomingMessage,
  response: ServerResponse,
  context: { id: string; headers: Record<string, string> },
  surroundings: ChatSurroundings,
): Promise<ChatRecord> {
  const arrivedAt = Date.now();
  const abort = new AbortController();
  surroundings.running.add(abort);
  response.on('close', () => {
    surroundings.running.delete(abort);
    if (!response.writableFinished) abort.abort(new CallAborted('client_gone', 'the client went away'));
  });
  const record: ChatRecord = { status: 200 };
  let route: Route | undefined;
  let run: string | undefined;
  let stream: StreamAnswer | undefined;
  try {
    checkContentType(request);
    const body = await readBody(request, BODY_LIMIT);
    const parsed = parseRequest(body);
    record.model = parsed.requestedModel;
    route = routeModel(parsed.requestedModel, surroundings.devices, surroundings.defaultProvider);
    record.provider = route.device.name;
    if (route.model !== undefined) parsed.chat.model = route.model;
    surroundings.publish?.(context.id, {
      type: 'start',
      provider: route.device.name,
      ...(route.model !== undefined && { model: route.model.slice(0, MODEL_LENGTH) }),
      stream: parsed.chat.stream,
    });
    if (route.device.driverKind === 'cli') {
      run = runFingerprint(route.device.path, body);
      replayFailure(run, surroundings.replays);
    }

    const answer = new ClientAnswer(
      parsed,
      response,
      { ...context.headers, 'x-drivebay-provider': route.device.name },
      arrivedAt,
    );
    stream = answer.stream;
    const caller: Caller = { id: context.id, asker: GATEWAY, abort, arrivedAt };
    const result = await route.device.chat(parsed.chat, caller, answer.add);
    const sending = answer.end();
    if (sending) await sending;
    Object.assign(record, pick(result));
  } catch (error) {
    stream?.stop();
    record.error = error as Error;
    record.status = answerFailure(error);
  }
  return record;

  function answerFailure(error: unknown): number {
    const failure = toGatewayError(error, route?.device);
    // Who stops an answer and asks again wants another answer.
    if (run !== undefined && isDriverError(error) && error.sideEffects && error.code !== 'canceled') {
      surroundings.replays.remember(run, failure);
    }
    if (response.destroyed || response.writableEnded) return CLIENT_GONE;
    if (failure.status === 413) refuseOversized(request, failure, context.headers);
    else if (response.headersSent) stream?.fail(failure);
    else
      sendError(response, failure, { ...context.headers, ...(route && { 'x-drivebay-provider': route.device.name }) });
    return failure.status;
  }
}

/** One answer on its way to the client, in either form. */
class ClientAnswer {
  readonly stream: StreamAnswer | undefined;
  private readonly completion: Completion | undefined;
  private readonly ignored = new Set<string>();

  constructor(
    { requestedModel, includeUsage, chat }: GatewayRequest,
    private readonly response: ServerResponse,
    private readonly headers: Record<string, string>,
    now: number,
  ) {
    const head = answerHead(requestedModel, now);
    if (chat.stream) this.stream = new StreamAnswer(response, head, includeUsage, () => this.allHeaders());
    else this.completion = new Completion(head);
  }

  readonly add = (event: ChatEvent): Promise<void> | undefined => {
    if (event.type === 'meta') event.ignored?.forEach((name) => this.ignored.add(name));
    if (this.stream) return this.stream.add(event);
    this.completion!.add(event);
    return undefined;
  };

  /** Returns a promise where it takes many turns. */
  end(): Promise<void> | undefined {
    if (!this.stream) return sendLongText(this.response, 200, this.wholeBody(), this.allHeaders());
    this.stream.end();
    return undefined;
  }

  /** What a driver passes on of its backend may be nested too deeply, or no data at all. */
  private wholeBody(): string {
    try {
      return JSON.stringify(this.completion!.toBody());
    } catch (error) {
      throw new DriverError('protocol', `the answer cannot be written as JSON: ${messageOf(error)}`, { cause: error });
    }
  }

  private allHeaders(): Record<string, string> {
    if (this.ignored.size === 0) return this.headers;
    // Names come from drivers: only what a header may hold.
    const names = [...this.ignored].map((name) => name.replace(/[^\x21-\x7e]/g, '')).join(',');
    return { ...this.headers, 'x-drivebay-ignored-params': names };
  }
}

/** A page can send other types without asking first, so nothing but JSON is read. */
function checkContentType(request: IncomingMessage): void {
  const type = request.headers['content-type'] ?? '';
  const encoding = request.headers['content-encoding'] ?? 'identity';
  if (isJson(request) && encoding === 'identity') return;
  const found = encoding === 'identity' ? `Content-Type "${type}"` : `Content-Encoding "${encoding}"`;
  throw new GatewayError('unsupported_media_type', `${found} is not supported, send plain application/json`);
}

function replayFailure(run: string, replays: ReplayGuard): void {
  const failure = replays.recall(run);
  if (!failure) return;
  const { code, message, param, headers, details } = failure;
  throw new GatewayError(code, message, {
    headers: { ...headers, 'x-drivebay-replayed': 'true' },
    ...(param !== undefined && { param }),
    ...(details && { details }),
  });
}

function pick({ usage, costUsd, model }: TurnResult): Partial<ChatRecord> {
  return { ...(usage && { usage }), ...(costUsd > 0 && { costUsd }), ...(model !== undefined && { model }) };
}
