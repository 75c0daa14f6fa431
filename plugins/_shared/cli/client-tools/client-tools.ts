import type { ChatRequest, DriverContext, Message, Part, ToolResultPart } from 'drivebay/plugin';
import type { Fields } from '../../fields';
import { readDataUrl } from '../../http/message-parts';
import { type NameRule, ToolNames } from '../../tool-names';
import { checkResults } from './check-results';
import { type OfferedTool, offeredTools } from './offered-tools';
import { withPlainIds } from './plain-ids';

/** What a client wants of its tools, as the program takes it. */
export interface ClientTools {
  /** The request, with names of tools and ids of calls that the program takes. */
  request: ChatRequest;
  names: ToolNames | undefined;
  /** Empty where the client has none. */
  tools: readonly OfferedTool[];
  /** Places in the request that have no effect. */
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

/** For a provider whose clients have none. */
export function withoutTools(request: ChatRequest): ClientTools {
  return { request: plain(request), names: undefined, tools: [], ignored: [] };
}

function plain(request: ChatRequest): ChatRequest {
  return { ...request, messages: withPlainIds(request.messages) };
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
