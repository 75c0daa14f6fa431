import { type Fields, isFields } from '../../../fields';
import { IMAGE_TOKENS, MESSAGE_TOKENS, tokensOf } from '../../token-estimate';

/**
 * The input tokens of a request, roughly, for backends that cannot count. Programs price the parts of a conversation one
 * by one and add them up, so each part counts by itself. Takes whatever a client sent.
 */
export function estimateTokens({ system, messages, tools }: Fields): number {
  const said = asList(messages).map((message) => weigh(isFields(message) ? message.content : message) + MESSAGE_TOKENS);
  const offered = asList(tools).map(tokensOf);
  return Math.ceil([weigh(system), ...said, ...offered].reduce((sum, tokens) => sum + tokens, 0));
}

function weigh(content: unknown): number {
  if (typeof content === 'string') return tokensOf(content);
  if (Array.isArray(content)) return content.reduce<number>((sum, block) => sum + weigh(block), 0);
  return isFields(content) ? weighBlock(content) : 0;
}

function weighBlock(block: Fields): number {
  switch (block.type) {
    case 'text':
      return weigh(block.text);
    case 'thinking':
      return weigh(block.thinking);
    case 'image':
      return IMAGE_TOKENS;
    case 'document': {
      const source = isFields(block.source) ? block.source : {};
      return source.type === 'text' ? weigh(source.data) : IMAGE_TOKENS + weigh(source.content);
    }
    case 'tool_use':
      return tokensOf(block.name) + tokensOf(block.input);
    case 'tool_result':
      return weigh(block.content);
    default:
      return tokensOf(block);
  }
}

function asList(value: unknown): unknown[] {
  return Array.isArray(value) ? (value as unknown[]) : [];
}
