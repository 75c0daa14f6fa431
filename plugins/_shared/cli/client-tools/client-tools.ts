import type { ChatRequest, DriverContext, Message, Part, ToolResultPart } from 'drivebay/plugin';
import { isFields, type Fields } from '../../fields';
import { readDataUrl } from '../../http/message-parts';
import { type NameRule, ToolNames } from '../../tool-names';
import { withPlainIds } from './plain-ids';
import { plainSchema } from '../../plain-schema';

/** A tool of a client, as a program takes it. */
interface OfferedTool {
  name: string;
  description?: string;
  inputSchema: Fields;
}

/** What a client wants of its tools, as the program takes it. */
export interface ClientTools {
  /** The request, with names of tools and ids of calls that the program takes. */
  request: ChatRequest;
  names: ToolNames | undefined;
  /** Empty where the client has none. */
  tools: readonly OfferedTool[];
  /** Places in the request that have no effect, for `meta.ignored`. */
  ignored: string[];
}

/** The tools of a request, by the names that the program takes. Refuses what no program can do. */
export function namedTools(
  request: ChatRequest,
  context: Pick<DriverContext, 'error'>,
  rule: NameRule,
  longestDescription?: number,
): ClientTools {
  checkResults(request.messages, context);
  const names = ToolNames.of(request, rule);
  const named = plain(names?.apply(request) ?? request);
  return { request: named, names, ...offeredTools(named, context, longestDescription) };
}

/**
 * Refuses what the API of every vendor refuses: calls of the last answer without a result, and results without a call.
 * A program that waits for them stays as it is.
 */
export function checkResults(messages: readonly Message[], { error }: Pick<DriverContext, 'error'>): void {
  const last = messages.findLastIndex(({ role }) => role === 'assistant');
  const called = new Set<string>();
  for (const part of messages[last]?.parts ?? []) if (part.type === 'tool_call') called.add(part.id);
  const open = new Set(called);
  for (const [index, { parts }] of messages.slice(last + 1).entries()) {
    for (const part of parts) {
      if (part.type !== 'tool_result') continue;
      if (!called.has(part.callId)) {
        const message = `the result of ${part.callId} belongs to no tool call of the message before it`;
        throw error('invalid_request', message, { param: `messages[${last + 1 + index}]` });
      }
      open.delete(part.callId);
    }
  }
  if (open.size === 0) return;
  const ids = [...open].join(', ');
  throw error('invalid_request', `tool calls ${ids} have no result: answer each of them`, { param: 'messages' });
}

/**
 * The client's tools for a program. `longestDescription`: where the program cuts one, it goes whole with the schema. The
 * names come from `ToolNames`, with the program's rule: apply them to the request first, and to the events of the answer.
 */
export function offeredTools(
  { tools = [], toolChoice }: ChatRequest,
  { error }: Pick<DriverContext, 'error'>,
  longestDescription = Infinity,
): Pick<ClientTools, 'tools' | 'ignored'> {
  const offer: { tools: OfferedTool[]; ignored: string[] } = { tools: [], ignored: [] };
  const places = new Map<string, number>();
  for (const [index, { name, description, parameters, strict, raw }] of tools.entries()) {
    const before = places.get(name);
    if (before !== undefined) {
      const message = `tools[${before}] and tools[${index}] have one name: ${name}`;
      throw error('invalid_request', message, { param: `tools[${index}]` });
    }
    places.set(name, index);
    // A tool of a vendor's own kind: only the vendor knows how it is called.
    if (raw && !isFields(raw.function)) {
      offer.ignored.push(`tools[${index}]`);
      continue;
    }
    if (strict === true) offer.ignored.push(`tools[${index}].strict`);
    const inputSchema = plainSchema(parameters);
    offer.tools.push({ name, ...described(description, inputSchema, longestDescription) });
  }
  if (toolChoice?.type === 'tool' && !offer.tools.some(({ name }) => name === toolChoice.name)) {
    throw error('invalid_request', `tool_choice names no tool of the request: ${toolChoice.name}`, {
      param: 'tool_choice',
    });
  }
  return offer;
}

function described(description: string | undefined, inputSchema: Fields, longest: number) {
  if (description === undefined || description === '') return { inputSchema };
  if (description.length <= longest) return { description, inputSchema };
  const note = '… (the input schema has the whole description)';
  const own = typeof inputSchema.description === 'string' ? `\n\n${inputSchema.description}` : '';
  return {
    description: description.slice(0, longest - note.length) + note,
    inputSchema: { ...inputSchema, description: description + own },
  };
}

/** For a provider whose clients have none. */
export function withoutTools(request: ChatRequest): ClientTools {
  return { request: plain(request), names: undefined, tools: [], ignored: [] };
}

function plain(request: ChatRequest): ChatRequest {
  return { ...request, messages: withPlainIds(request.messages) };
}

/** Whether only a program that holds the conversation can serve the request: a prompt takes neither tools nor images. */
export function needsHolder({ messages }: ChatRequest, tools: readonly object[]): boolean {
  return tools.length > 0 || hasImages(messages);
}

/** Whether a message has an image, or a result of a tool has one. A prompt takes none. */
export function hasImages(messages: readonly Message[]): boolean {
  const isImage = ({ type }: Part): boolean => type === 'image';
  return messages.some(({ parts }) =>
    parts.some((part) => isImage(part) || (part.type === 'tool_result' && part.content.some(isImage))),
  );
}

/** A result as a server of tools gives it. Undefined where a part has no form there. */
export function resultBlocks({ content }: ToolResultPart): Fields[] | undefined {
  const blocks: Fields[] = [];
  for (const part of content) {
    const image = part.type === 'image' ? readDataUrl(part.url) : undefined;
    if (part.type === 'text') blocks.push({ type: 'text', text: part.text });
    else if (image) blocks.push({ type: 'image', data: image.data, mimeType: image.mediaType });
    else return undefined;
  }
  return blocks;
}
