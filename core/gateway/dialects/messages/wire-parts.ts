import type { FinishReason, Usage } from '../../../contract/api';
import type { CallContext } from '../../dialect';

/** What every answer begins with. */
export interface AnswerHead {
  /** `msg_` and digits. */
  id: string;
  /** The model as the client named it. */
  model: string;
}

let counter = 0;

/** Unique across restarts: the millisecond of the request, and a counter within it. */
export function answerHead(model: string): AnswerHead {
  counter = (counter + 1) % 1_000_000;
  return { id: `msg_${Date.now()}${String(counter).padStart(6, '0')}`, model };
}

/**
 * The name of the model in an answer that comes from a backend of this wire, where the client knows the model by another
 * one. Programs of this wire drop the thinking of an answer whose model is not the one that they asked for.
 */
export function nameForClient(
  { model: requested }: AnswerHead,
  { device, model, isVeiled }: CallContext,
): string | undefined {
  if (isVeiled) return requested || device.name;
  return requested === '' || requested === (model ?? device.defaultModel) ? undefined : requested;
}

/** The id of a call to which the backend gave none. The client needs one to answer the call. */
export function callId({ id }: AnswerHead, index: number): string {
  return `toolu_${id.slice(id.indexOf('_') + 1)}_${index}`;
}

/**
 * The counts as the driver reported them, or 0. In this API, the input does not include tokens that a cache read or wrote.
 * A backend that estimates may report fractions. Typed clients fail on them and lose the whole answer.
 */
export function wireUsage(usage: Usage | undefined): Record<string, number> {
  const { inputTokens = 0, outputTokens = 0, cachedInputTokens = 0, cacheWriteInputTokens = 0 } = usage ?? {};
  return {
    input_tokens: Math.round(Math.max(0, inputTokens - cachedInputTokens - cacheWriteInputTokens)),
    cache_creation_input_tokens: Math.round(cacheWriteInputTokens),
    cache_read_input_tokens: Math.round(cachedInputTokens),
    output_tokens: Math.round(outputTokens),
  };
}

/** What says how an answer ended. */
interface AnswerEnd {
  finish: FinishReason | undefined;
  stopSequence: string | undefined;
  hasCall: boolean;
  isRefusal: boolean;
  isSummary?: boolean;
}

/** By the content first: a client that is promised a call, and finds none, asks again. */
export function stopOf(end: AnswerEnd): { stop_reason: string; stop_sequence: string | null } {
  const reason = stopReason(end);
  return { stop_reason: reason, stop_sequence: reason === 'stop_sequence' ? end.stopSequence! : null };
}

function stopReason({ finish, stopSequence, hasCall, isRefusal, isSummary }: AnswerEnd): string {
  if (isSummary) return 'compaction';
  if (finish === 'length') return 'max_tokens';
  if (finish === 'content_filter' || isRefusal) return 'refusal';
  if (hasCall) return 'tool_use';
  return stopSequence === undefined ? 'end_turn' : 'stop_sequence';
}

/** An event of a stream. */
export interface WireEvent {
  type: string;
  [field: string]: unknown;
}

/** Programs of this wire read no frame without the line of its name. */
export function frame(event: WireEvent): string {
  return `event: ${event.type}\ndata: ${JSON.stringify(event)}\n\n`;
}
