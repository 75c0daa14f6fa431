import type { ChatEvent, DriverErrorCode, FinishReason } from 'drivebay/plugin';
import { countOf, fieldsOf, isFields, listOf, textOf, type Fields } from '../_shared/fields';
import { reportedError, type MakeError } from '../_shared/http/explain-error';
import { foreignAnswer, objectIn, truncated, type AnswerReader } from '../_shared/http/answer-reader';
import { toUsage } from '../_shared/http/usage';
import { ItemReader } from './item-reader';

/** What the vendor's words for a failed answer mean; an unknown one is a failure of its own. */
const CODES = new Map<string, { code: DriverErrorCode; status: number }>([
  ['rate_limit_exceeded', { code: 'rate_limited', status: 429 }],
  ['insufficient_quota', { code: 'rate_limited', status: 429 }],
  ['context_length_exceeded', { code: 'rejected', status: 400 }],
  ['invalid_prompt', { code: 'rejected', status: 400 }],
  ['invalid_request_error', { code: 'rejected', status: 400 }],
  ['server_is_overloaded', { code: 'upstream', status: 503 }],
]);

/** Reads an answer of the Responses wire. */
export class ResponsesReader implements AnswerReader {
  isComplete = false;
  /** The vendor's last word is always waited for. */
  readonly patienceMs = undefined;
  private readonly items = new ItemReader();
  private hasBegun = false;
  private response: Fields = {};

  constructor(private readonly makeError: MakeError) {}

  read(piece: Fields, events: ChatEvent[]): void {
    switch (piece.type) {
      case 'response.created':
        this.begin(fieldsOf(piece.response), events);
        break;
      case 'response.output_item.added':
        if (isFields(piece.item)) this.items.start(piece.output_index, piece.item, events);
        break;
      case 'response.output_item.done':
        if (isFields(piece.item)) this.items.finish(piece.output_index, piece.item, events);
        break;
      case 'response.completed':
      case 'response.incomplete':
      case 'response.failed':
      case 'response.cancelled':
        this.end(fieldsOf(piece.response), events);
        break;
      case 'error':
        throw findResponseError(errorOf(piece) ?? piece, this.makeError);
      default: {
        const error = errorOf(piece);
        if (error !== undefined) throw findResponseError(error, this.makeError);
        this.items.readDelta(piece, events);
      }
    }
  }

  readWhole(answer: unknown, events: ChatEvent[]): void {
    const response = objectIn(answer, this.makeError);
    if (!Array.isArray(response.output)) {
      const error = errorOf(response);
      if (error !== undefined) throw findResponseError(error, this.makeError);
      throw foreignAnswer(
        response,
        'output',
        'check base_url: is it an endpoint of the Responses API?',
        this.makeError,
      );
    }
    this.begin(response, events);
    this.end(response, events);
    this.conclude(events);
  }

  conclude(events: ChatEvent[]): void {
    if (!this.isComplete) throw truncated(this.makeError, this.hasBegun);
    this.items.conclude(events);
    pushUsage(this.response, events);
    events.push({ type: 'finish', reason: this.finishReason() });
  }

  private begin(response: Fields, events: ChatEvent[]): void {
    this.hasBegun = true;
    const model = textOf(response.model);
    if (model !== undefined) events.push({ type: 'meta', model });
  }

  private end(response: Fields, events: ChatEvent[]): void {
    const { status } = response;
    if (status === 'failed' || status === 'cancelled') {
      pushUsage(response, events);
      throw findResponseError(response.error ?? `the response was ${status}`, this.makeError);
    }
    this.items.finishAll(listOf(response.output).filter(isFields), events);
    this.response = response;
    this.isComplete = true;
  }

  private finishReason(): FinishReason {
    const { reason } = fieldsOf(this.response.incomplete_details);
    if (reason === 'content_filter') return 'content_filter';
    if (this.response.status === 'incomplete') return 'length';
    return this.items.callCount > 0 ? 'tool_calls' : 'stop';
  }
}

/** A failed response may have counts, too. */
function pushUsage(response: Fields, events: ChatEvent[]): void {
  const usage = fieldsOf(response.usage);
  const input = fieldsOf(usage.input_tokens_details);
  const counts = toUsage({
    inputTokens: countOf(usage.input_tokens),
    outputTokens: countOf(usage.output_tokens),
    cachedInputTokens: countOf(input.cached_tokens),
    cacheWriteInputTokens: countOf(input.cache_write_tokens),
    reasoningTokens: countOf(fieldsOf(usage.output_tokens_details).reasoning_tokens),
  });
  if (counts) events.push(counts);
}

/** The error inside an answer or a piece: the vendor sends objects, some proxies a plain text. */
function errorOf({ error }: Fields): unknown {
  return isFields(error) ? error : textOf(error);
}

/** The error that an answer, or a piece of one, reports. Some have no code, and say the same with their type. */
function findResponseError(error: unknown, makeError: MakeError): Error {
  const { code, type } = fieldsOf(error);
  const known = CODES.get(textOf(code) ?? textOf(type) ?? '') ?? { code: 'upstream', status: undefined };
  return reportedError(makeError, 'vendor', error, { ...known, answer: { error } });
}
