import { withCarried } from '../../../contract/carried';
import type { Message, Part, ReasoningPart, ToolCallPart } from '../../../contract/api';
import { type Fields, isFields } from '../../../fields';
import type { Carriers } from '../../carriers';
import { wrongField } from '../../read-fields';
import { ifText, listAt, nameAt, textAt } from '../../value-at';
import { readSummary } from './compaction';
import { Conversation } from './conversation';
import { parseContent, parseOutput } from './parse-content';
import type { ToolMap } from './tool-map';

/** What an item is read with. */
interface Reading {
  conversation: Conversation;
  tools: ToolMap;
  carriers: Carriers;
  /** The types of items that no message can hold. */
  leftOut: Set<string>;
}

/** Reads the items of a conversation. Items of a type that is not known here are left out, and named in `leftOut`. */
export function parseItems(
  items: readonly Fields[],
  tools: ToolMap,
  carriers: Carriers,
  leftOut: Set<string>,
): Message[] {
  const conversation = new Conversation();
  // Tools first: the names of earlier calls follow from them.
  items.forEach((item, index) => {
    const path = `input[${index}]`;
    if (TOOL_LISTS.has(item.type) && item.tools != null)
      tools.add(listAt(`${path}.tools`, item.tools), `${path}.tools`);
    if (!isOutput(item)) return;
    conversation.expectOutput(callIdOf(item, path, carriers), parseOutput(item.output, `${path}.output`));
  });
  const reading = { conversation, tools, carriers, leftOut };
  items.forEach((item, index) => parseItem(item, `input[${index}]`, reading));
  return conversation.end();
}

/** In place of a summary that a vendor encrypted: otherwise the model would take the rest for the whole conversation. */
const UNREADABLE =
  '(The earlier part of this conversation is missing: it was summed up in a form that only another model can read.)';

const TOOL_LISTS: ReadonlySet<unknown> = new Set(['additional_tools', 'tool_search_output']);

function parseItem(item: Fields, path: string, reading: Reading): void {
  const { conversation, carriers, tools } = reading;
  const type = item.type ?? ('role' in item ? 'message' : undefined);
  switch (type) {
    case 'message':
      addMessage(item, path, conversation);
      break;
    case 'reasoning':
      conversation.answer([parseReasoning(item, carriers)]);
      break;
    case 'function_call':
      conversation.answer([parseCall(item, textAt(`${path}.arguments`, item.arguments ?? ''), path, reading)]);
      break;
    case 'custom_tool_call': {
      const wrapped = JSON.stringify({ input: textAt(`${path}.input`, item.input ?? '') });
      conversation.answer([parseCall(item, wrapped, path, reading)]);
      break;
    }
    case 'compaction': {
      const summary = readSummary(item.encrypted_content);
      if (summary === undefined) reading.leftOut.add('compaction');
      conversation.add({ role: 'user', parts: [{ type: 'text', text: summary ?? UNREADABLE }] });
      break;
    }
    // The request itself is for a summary.
    case 'compaction_trigger':
    case 'additional_tools':
      break;
    default:
      if (isOutput(item)) conversation.output(callIdOf(item, path, carriers));
      else if (isHostedCall(item)) conversation.answer([parseHostedCall(item, tools)]);
      else reading.leftOut.add(nameAt(`${path}.type`, type));
  }
}

function addMessage({ role, content }: Fields, path: string, conversation: Conversation): void {
  const parts = parseContent(content, `${path}.content`);
  if (role === 'assistant') {
    conversation.answer(parts.filter((part) => part.type !== 'text' || part.text !== ''));
  } else if (role === 'user' || role === 'system' || role === 'developer') {
    conversation.add({ role, parts });
  } else {
    throw wrongField(`${path}.role`, role, 'one of user, assistant, system, developer');
  }
}

/** Encrypted content of a vendor is left out: only the vendor can read it, and gets it in the request of its own wire. */
function parseReasoning({ summary, content, encrypted_content: encrypted }: Fields, carriers: Carriers): ReasoningPart {
  const texts = [content, summary].map((parts) => (Array.isArray(parts) ? parts.filter(isFields) : []));
  const shown = texts.find((parts) => parts.length > 0) ?? [];
  const part: ReasoningPart = { type: 'reasoning', text: shown.map(({ text }) => ifText(text) ?? '').join('\n\n') };
  const state = typeof encrypted === 'string' ? carriers.unpack(encrypted)?.state : undefined;
  return state ? withCarried(part, state) : part;
}

function parseCall(item: Fields, args: string, path: string, { tools, carriers }: Reading): Part {
  const name = tools.flatName(nameAt(`${path}.name`, item.name), ifText(item.namespace));
  const callId = nameAt(`${path}.call_id`, item.call_id);
  const carried = carriers.unpack(callId);
  const call: ToolCallPart = { type: 'tool_call', id: carried?.plain ?? callId, name, arguments: args };
  return carried ? withCarried(call, carried.state) : call;
}

/** A call of a tool that the client ran for one vendor, such as `local_shell_call`. Another model may read it as well. */
function parseHostedCall(
  { type, call_id: id, id: _id, status: _status, ...rest }: Fields,
  tools: ToolMap,
): ToolCallPart {
  const name = tools.flatName(String(type).replace(/_call$/, ''), undefined);
  return { type: 'tool_call', id: String(id), name, arguments: JSON.stringify(rest) };
}

function isHostedCall({ type, call_id: id }: Fields): boolean {
  return typeof type === 'string' && type.endsWith('_call') && typeof id === 'string' && id !== '';
}

function isOutput({ type, call_id: callId, id }: Fields): boolean {
  return typeof type === 'string' && type.endsWith('_output') && (callId ?? id) != null;
}

/** The output of a local shell has the id of its call under another name. */
function callIdOf({ call_id: callId, id }: Fields, path: string, carriers: Carriers): string {
  return carriers.plainId(nameAt(`${path}.call_id`, callId ?? id));
}
