import type { ChatRequest, Part } from '../../../contract/api';
import { IMAGE_TOKENS, MESSAGE_TOKENS, tokensOf } from '../../token-estimate';

/** The input tokens of a chat, roughly, for backends that cannot count. */
export function estimateChat({ messages, tools = [], responseFormat }: ChatRequest): number {
  const said = messages.map(({ parts }) => MESSAGE_TOKENS + total(parts.map(weigh)));
  return Math.ceil(total([...said, ...tools.map(tokensOf), tokensOf(responseFormat)]));
}

function weigh(part: Part): number {
  switch (part.type) {
    case 'text':
    case 'reasoning':
      return tokensOf(part.text);
    case 'tool_call':
      return tokensOf(part.name) + tokensOf(part.arguments);
    case 'tool_result':
      return total(part.content.map(weigh));
    case 'other':
      return tokensOf(part.value);
    default:
      return IMAGE_TOKENS;
  }
}

function total(tokens: number[]): number {
  return tokens.reduce((sum, each) => sum + each, 0);
}
