import type { ChatRequest, EmbeddingRequest, Message, Part, Tool } from '../contract/api';

/** Half of what English has: other languages, code and numbers have fewer bytes in a token. */
const BYTES_PER_TOKEN = 2;
/** More than vendors count for most images. */
const ATTACHMENT_TOKENS = 5_000;
/** Of sounds and documents, whose tokens grow with their size; their data is base64. */
const ATTACHED_BYTES_PER_TOKEN = 20;
/** The role of a message, and what stands between two. */
const MESSAGE_TOKENS = 8;

/** The input tokens of a request, rather too many than too few. Cheap: nothing is tokenized. */
export function inputAtMost(request: ChatRequest | EmbeddingRequest): number {
  if ('input' in request) {
    return sum<string | number[]>(request.input, (each) => (typeof each === 'string' ? tokensOf(each) : each.length));
  }
  return sum(request.messages, weighMessage) + (request.tools ? sum(request.tools, weighTool) : 0);
}

function weighMessage({ parts }: Message): number {
  return sum(parts, weigh) + MESSAGE_TOKENS;
}

function weighTool(tool: Tool): number {
  return tokensOf(JSON.stringify(tool));
}

function weigh(part: Part): number {
  switch (part.type) {
    case 'text':
    case 'reasoning':
      return tokensOf(part.text);
    case 'tool_call':
      return tokensOf(part.name) + tokensOf(part.arguments);
    case 'tool_result':
      return sum(part.content, weigh);
    case 'image':
      return ATTACHMENT_TOKENS;
    case 'audio':
    case 'file':
      return Math.max(ATTACHMENT_TOKENS, Math.ceil((part.data?.length ?? 0) / ATTACHED_BYTES_PER_TOKEN));
    default:
      return tokensOf(JSON.stringify(part.value));
  }
}

/** The tokens of an answer of so many characters, as roughly. */
export function tokensOfLength(length: number): number {
  return Math.ceil(length / BYTES_PER_TOKEN);
}

function tokensOf(text: string): number {
  return tokensOfLength(Buffer.byteLength(text));
}

function sum<Item>(items: readonly Item[], weight: (item: Item) => number): number {
  let total = 0;
  for (const item of items) total += weight(item);
  return total;
}
