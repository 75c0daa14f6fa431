/** The kit's fake server, with what it says when it plays a server of chat completions. */
export {
  FakeHttpServer as Upstream,
  type HttpRequestRecord as RecordedRequest,
} from '../../core/authoring/fakes/fake-http-server';
export {
  CUT,
  json,
  raw,
  sse,
  STALL,
  type HttpAnswer as Answer,
  type HttpPiece as Piece,
} from '../../core/authoring/fakes/http-answer';

export const DONE = 'data: [DONE]\n\n';

/** A chat completion chunk with some text, or with any delta. */
export function delta(content: string | Record<string, unknown>, fields: Record<string, unknown> = {}): object {
  return chunk({ index: 0, delta: typeof content === 'string' ? { content } : content, finish_reason: null }, fields);
}

export function finish(reason = 'stop', fields: Record<string, unknown> = {}): object {
  return chunk({ index: 0, delta: {}, finish_reason: reason }, fields);
}

export function usageChunk(prompt: number, completion: number, details: Record<string, unknown> = {}): object {
  return { ...chunk({}), choices: [], usage: usage(prompt, completion, details) };
}

export function completion(content: string | Record<string, unknown>, fields: Record<string, unknown> = {}): object {
  const message = typeof content === 'string' ? { role: 'assistant', content } : content;
  return {
    id: 'up-1',
    object: 'chat.completion',
    created: 1,
    model: 'up-model',
    choices: [{ index: 0, message, logprobs: null, finish_reason: 'stop' }],
    usage: usage(3, 2),
    ...fields,
  };
}

function chunk(choice: object, fields: Record<string, unknown> = {}): object {
  return { id: 'up-1', object: 'chat.completion.chunk', created: 1, model: 'up-model', choices: [choice], ...fields };
}

function usage(prompt: number, completed: number, details: Record<string, unknown> = {}): object {
  return { prompt_tokens: prompt, completion_tokens: completed, total_tokens: prompt + completed, ...details };
}
