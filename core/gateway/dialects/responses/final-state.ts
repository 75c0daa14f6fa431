import type { AnswerItems } from './answer-items';
import { type ResponseState, wireUsage } from './response-head';

/** The type is for the AI SDK, which reads no response that has an error without one. */
const FILTERED = {
  code: 'invalid_prompt',
  message: 'the backend refused to speak about this (content filter)',
  type: 'invalid_request_error',
};

/** How a complete answer ended. */
export function finalState({ finish, output, usage, count }: AnswerItems, isFilterFinal: boolean): ResponseState {
  const state: ResponseState = {
    status: 'completed',
    output,
    usage: wireUsage(usage),
    error: null,
    incomplete_details: null,
  };
  if (finish === 'length')
    return { ...state, status: 'incomplete', incomplete_details: { reason: 'max_output_tokens' } };
  if (finish !== 'content_filter') return state;
  if (isFilterFinal || count === 0) {
    return { ...state, status: 'failed', error: FILTERED };
  }
  return { ...state, status: 'incomplete', incomplete_details: { reason: 'content_filter' } };
}
