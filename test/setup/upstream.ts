/** The kit's fake server, with what it says when it plays a server of chat completions. */
import {
  FakeHttpServer as Upstream,
  type HttpRequestRecord as RecordedRequest,
} from '../../core/authoring/fakes/fake-http-server';

export { Upstream, type RecordedRequest };
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

/** All but the checks: a gateway checks its providers with a GET at any moment, so that no place in `requests` is sure. */
export function posts({ requests }: Upstream): RecordedRequest[] {
  return requests.filter(({ method }) => method === 'POST');
}

/** Resolves with the n-th of them, counted from 1, when its body has arrived. */
export async function posted(upstream: Upstream, n = 1): Promise<RecordedRequest> {
  await upstream.until(() => posts(upstream).length >= n);
  return posts(upstream)[n - 1]!;
}

/** Resolves when the client has closed the connection of a request before the end of its answer. */
export function givenUp(upstream: Upstream, request: RecordedRequest): Promise<void> {
  return upstream.clientClosed(upstream.requests.indexOf(request) + 1);
}

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
