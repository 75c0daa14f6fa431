import { randomUUID } from 'node:crypto';
import type { Usage } from '../../../contract/api';
import { type Fields, isFields, onlyFields } from '../../../fields';
import type { RequestFields } from './request-fields';

/** What changes in a response while it is made. */
export interface ResponseState {
  status: 'in_progress' | 'completed' | 'incomplete' | 'failed';
  output: readonly Fields[];
  usage: Fields | null;
  error: { code: string; message: string; type?: string } | null;
  incomplete_details: { reason: string } | null;
}

export const IN_PROGRESS: ResponseState = {
  status: 'in_progress',
  output: [],
  usage: null,
  error: null,
  incomplete_details: null,
};

/** The fields of a response that stay the same from its first event to the last. */
export class ResponseHead {
  /** Hard to guess: who knows the id can read a stored response. */
  private readonly unique = randomUUID().replaceAll('-', '');
  readonly id = `resp_${this.unique}`;
  private readonly fields: Fields;
  private opening: string | undefined;

  constructor(request: RequestFields) {
    const { model, text, reasoning } = request;
    this.fields = {
      id: this.id,
      object: 'response',
      created_at: Math.floor(Date.now() / 1000),
      model: model ?? '',
      instructions: request.instructions ?? null,
      metadata: request.metadata ?? {},
      parallel_tool_calls: request.parallel_tool_calls ?? true,
      temperature: request.temperature ?? null,
      top_p: request.top_p ?? null,
      tool_choice: request.tool_choice ?? 'auto',
      tools: request.tools ?? [],
      text: { ...text, format: text?.format ?? { type: 'text' } },
      reasoning: { ...reasoning, effort: reasoning?.effort ?? null, summary: reasoning?.summary ?? null },
      max_output_tokens: request.max_output_tokens ?? null,
      previous_response_id: request.previous_response_id ?? null,
      store: request.store ?? true,
      background: false,
      truncation: 'disabled',
    };
  }

  /** For a request that names no model. */
  useModel(model: string): void {
    this.fields.model ||= model;
  }

  /**
   * The response of a backend of this wire as ours: two backends may give the same id, and it is kept here, not there.
   */
  claim(response: Fields): Fields {
    const { id, previous_response_id, store } = this.fields;
    return { ...response, id, previous_response_id, store };
  }

  /** The same without the fields of the backend's own, for a client that must not know which one it is. */
  veil(response: Fields): Fields {
    const { error } = response;
    const { model } = this.fields;
    const plain = onlyFields(response, new Set([...Object.keys({ ...this.fields, ...IN_PROGRESS }), 'completed_at']));
    return {
      ...plain,
      model,
      error: isFields(error) ? { code: error.code, message: 'no target has answered' } : error,
    };
  }

  itemId(kind: string, index: number): string {
    return `${kind}_${this.unique}${index}`;
  }

  toObject(state: ResponseState): Fields {
    return Object.assign({}, this.fields, state);
  }

  /** As JSON. The fields may hold many tools, so their text is made once. */
  toText(state: ResponseState): string {
    this.opening ??= this.spellFields();
    return `${this.opening},${JSON.stringify(state).slice(1)}`;
  }

  /** The text is kept in place of what is large. */
  private spellFields(): string {
    const text = JSON.stringify(this.fields).slice(0, -1);
    Object.assign(this.fields, { instructions: null, tools: [], text: null });
    return text;
  }
}

/** All counts or none: a client fails on a part of them. Fractions, of a backend that estimates, would fail it, too. */
export function wireUsage(usage: Usage | undefined): Fields | null {
  if (!usage) return null;
  const input = Math.round(usage.inputTokens);
  const output = Math.round(usage.outputTokens);
  return {
    input_tokens: input,
    input_tokens_details: {
      cached_tokens: Math.round(usage.cachedInputTokens ?? 0),
      cache_write_tokens: Math.round(usage.cacheWriteInputTokens ?? 0),
    },
    output_tokens: output,
    output_tokens_details: { reasoning_tokens: Math.round(usage.reasoningTokens ?? 0) },
    total_tokens: input + output,
  };
}
