import type { Usage } from '../../../contract/api';
import { mergeFields } from '../../../fields';

/** The fields that every piece of one answer repeats. */
export interface AnswerHead {
  /** `chatcmpl-` and digits. */
  id: string;
  /** Unix time in seconds. */
  created: number;
  /** The model as the client named it. */
  model: string;
}

let counter = 0;

/** Unique across restarts: the millisecond of the request, and a counter within it. */
export function answerHead(model: string): AnswerHead {
  const now = Date.now();
  counter = (counter + 1) % 1_000_000;
  return { id: `chatcmpl-${now}${String(counter).padStart(6, '0')}`, created: Math.floor(now / 1000), model };
}

/** The id of a tool call to which the backend gave none. The client needs an id to answer the call. */
export function callId({ id }: AnswerHead, index: number): string {
  return `call_${id.slice(id.indexOf('-') + 1)}_${index}`;
}

/**
 * The usage of an answer as the driver reported it, 0 for each count that it did not report. What a
 * subscription pays costs the user nothing more: its price has a name of its own, so that no client counts it.
 */
export function wireUsage(usage: Usage | undefined): Record<string, unknown> {
  const { costUsd, extra } = usage ?? {};
  const input = whole(usage?.inputTokens) ?? 0;
  const output = whole(usage?.outputTokens) ?? 0;
  const wire: Record<string, unknown> = {
    prompt_tokens: input,
    completion_tokens: output,
    total_tokens: input + output,
    prompt_tokens_details: {
      cached_tokens: whole(usage?.cachedInputTokens) ?? 0,
      cache_write_tokens: whole(usage?.cacheWriteInputTokens),
      audio_tokens: whole(usage?.audioInputTokens),
    },
    completion_tokens_details: {
      reasoning_tokens: whole(usage?.reasoningTokens) ?? 0,
      audio_tokens: whole(usage?.audioOutputTokens),
      image_tokens: whole(usage?.imageOutputTokens),
    },
    cost: usage?.nominal && costUsd !== undefined ? 0 : costUsd,
    nominal_cost: usage?.nominal ? costUsd : undefined,
  };
  return extra ? mergeFields(wire, extra) : wire;
}

/** A backend that estimates may report fractions. Typed clients fail on them and lose the whole answer. */
function whole(count: number | undefined): number | undefined {
  return count === undefined ? undefined : Math.round(count);
}
