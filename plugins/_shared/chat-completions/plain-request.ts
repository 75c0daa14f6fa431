import type { ChatRequest, ContentPart, Message, Part, Tool } from 'drivebay/plugin';
import { fieldsOf, isFields } from '../fields';
import { joinTexts } from '../http/message-parts';
import type { MakeError } from '../http/explain-error';

/** Fields of other wires that a strict server of this one refuses. */
const FOREIGN = new Set([
  ...[
    'cache_control',
    'client_metadata',
    'container',
    'context_management',
    'conversation',
    'include',
    'inference_geo',
  ],
  ...['input', 'instructions', 'mcp_servers', 'metadata', 'output_config', 'previous_response_id', 'reasoning'],
  ...['speed', 'store', 'system', 'text', 'thinking', 'truncation'],
]);
/** No server of this wire fetches a file. */
const ADDRESS = /^https?:\/\//i;
const FAILURE: ContentPart = { type: 'text', text: 'Error:' };
const FAILURE_WORDS = /error|fail|exception|denied|exit code/i;

/**
 * A request as every server of this wire takes it. Images and files of tool results go into a user's message behind them,
 * because results are texts here. Of a request in another wire nothing of that wire is left.
 */
export function toPlainRequest(request: ChatRequest, ignored: string[], makeError: MakeError): ChatRequest {
  const messages = request.messages.some(holdsMedia) ? moveMedia(request.messages) : request.messages;
  if (!request.origin) return messages === request.messages ? request : { ...request, messages };
  const plain = { ...request };
  plain.messages = messages.map(toPlainMessage);
  plain.tools = toPlainTools(request.tools, ignored, makeError);
  if (!plain.tools) plain.toolChoice = undefined;
  plain.extra = Object.fromEntries(Object.entries(request.extra).filter(([name]) => !FOREIGN.has(name)));
  return plain;
}

/** Tools that their own vendor runs mean nothing to another one. */
function toPlainTools(tools: Tool[] | undefined, ignored: string[], makeError: MakeError): Tool[] | undefined {
  if (!tools || tools.length === 0) return undefined;
  const plain = tools.flatMap((tool, index) => {
    const { raw, ...known } = tool;
    if (!raw) return [tool];
    if (isFields(raw.function) || isFields(raw.custom)) return [tool];
    if (known.parameters !== undefined) return [known];
    ignored.push(`tools[${index}]`);
    return [];
  });
  if (plain.length > 0) return plain;
  const message = `the tool "${tools[0]!.name}" is run by its own vendor: this provider has none of that kind`;
  throw makeError('invalid_request', message, { param: 'tools[0]' });
}

function toPlainMessage(message: Message): Message {
  const { extra, ...plain } = message;
  const isFailure = message.role === 'tool' && fieldsOf(extra).is_error === true;
  return { ...plain, parts: joinTexts(message.parts.map((part) => toPlainPart(part, isFailure))) };
}

function toPlainPart(part: Part, isFailure: boolean): Part {
  switch (part.type) {
    case 'reasoning':
    case 'tool_call':
      return part;
    case 'tool_result': {
      const content = part.content.map(withoutExtra);
      return { ...part, content: joinTexts(isFailure && !saysFailure(content) ? [FAILURE, ...content] : content) };
    }
    case 'file':
      return ADDRESS.test(part.data ?? '')
        ? { type: 'text', text: `[a document at ${part.data}]` }
        : withoutExtra(part);
    default:
      return withoutExtra(part);
  }
}

function saysFailure([first]: ContentPart[]): boolean {
  return first?.type === 'text' && FAILURE_WORDS.test(first.text.slice(0, 200));
}

function withoutExtra(part: ContentPart): ContentPart {
  if (part.type === 'other' || part.extra === undefined) return part;
  const { extra: _, ...plain } = part;
  return plain;
}

function isMedia({ type }: ContentPart): boolean {
  return type === 'image' || type === 'audio' || type === 'file';
}

function holdsMedia({ parts }: Message): boolean {
  return parts.some((part) => part.type === 'tool_result' && part.content.some(isMedia));
}

/** Behind all results of a turn, because nothing may come between them, and before what the user says there. */
function moveMedia(messages: Message[]): Message[] {
  const moved: Message[] = [];
  let waiting: ContentPart[] = [];
  for (const message of messages) {
    if (waiting.length > 0 && message.role !== 'tool') {
      const isJoined = message.role === 'user';
      moved.push({ role: 'user', parts: isJoined ? [...waiting, ...message.parts] : waiting });
      waiting = [];
      if (isJoined) continue;
    }
    moved.push({ ...message, parts: message.parts.map((part) => withoutMedia(part, waiting)) });
  }
  return waiting.length > 0 ? [...moved, { role: 'user', parts: waiting }] : moved;
}

function withoutMedia(part: Part, taken: ContentPart[]): Part {
  if (part.type !== 'tool_result' || !part.content.some(isMedia)) return part;
  taken.push({ type: 'text', text: `Result of the tool call ${part.callId}:` }, ...part.content.filter(isMedia));
  const kept = part.content.filter((each) => !isMedia(each));
  return {
    ...part,
    content: kept.length > 0 ? kept : [{ type: 'text', text: 'The result is in the next user message.' }],
  };
}
