import type { ChatRequest, EmbeddingRequest, Message, Part, Tool } from '../contract/api';

/** What the parts of a request count as, in tokens. Cheap: nothing is tokenized. */
interface Weights {
  bytesPerToken: number;
  /** An image, a sound or a document. */
  attachment: number;
  /** Of sounds and documents, whose tokens grow with their size; their data is base64. */
  attachedBytesPerToken: number;
  /** The role of a message, and what stands between two. */
  message: number;
}

/** Rather too many than too few: other languages than English, code and numbers have few bytes in a token. */
const AT_MOST: Weights = { bytesPerToken: 2, attachment: 5_000, attachedBytesPerToken: 20, message: 8 };

/** What English has, for an estimate where a backend cannot count. */
export const ABOUT: Weights = { bytesPerToken: 4, attachment: 1_500, attachedBytesPerToken: Infinity, message: 3 };

/** The input tokens of a request, rather too many than too few. */
export function inputAtMost(request: ChatRequest | EmbeddingRequest): number {
  if (!('input' in request)) return weighChat(request, AT_MOST);
  return sum<string | number[]>(request.input, AT_MOST, (each, weights) =>
    typeof each === 'string' ? weighValue(each, weights) : each.length,
  );
}

/** The tokens of an answer of so many characters, rather too many than too few. */
export function outputAtMost(length: number): number {
  return Math.ceil(length / AT_MOST.bytesPerToken);
}

export function weighChat({ messages, tools = [], responseFormat }: ChatRequest, weights: Weights): number {
  const format = responseFormat ? weighValue(responseFormat, weights) : 0;
  return sum(messages, weights, weighMessage) + sum(tools, weights, weighTool) + format;
}

/** A text, or a value as JSON. */
export function weighValue(value: unknown, { bytesPerToken }: Weights): number {
  const text = typeof value === 'string' ? value : (JSON.stringify(value) ?? '');
  return Math.ceil(Buffer.byteLength(text) / bytesPerToken);
}

/** The raw form has everything that the other fields say. */
function weighTool(tool: Tool, weights: Weights): number {
  return weighValue(tool.raw ?? tool, weights);
}

function weighMessage({ parts }: Message, weights: Weights): number {
  return sum(parts, weights, weighPart) + weights.message;
}

function weighPart(part: Part, weights: Weights): number {
  switch (part.type) {
    case 'text':
    case 'reasoning':
      return weighValue(part.text, weights);
    case 'tool_call':
      return weighValue(part.name, weights) + weighValue(part.arguments, weights);
    case 'tool_result':
      return sum(part.content, weights, weighPart);
    case 'image':
      return weights.attachment;
    case 'audio':
    case 'file':
      return Math.max(weights.attachment, Math.ceil((part.data?.length ?? 0) / weights.attachedBytesPerToken));
    default:
      return weighValue(part.value, weights);
  }
}

function sum<Item>(items: readonly Item[], weights: Weights, weigh: (item: Item, weights: Weights) => number): number {
  let total = 0;
  for (const item of items) total += weigh(item, weights);
  return total;
}
