import type { ContentPart, Message, Part, ReasoningPart, ToolCallPart } from '../../../contract/api';
import { withCarried } from '../../../contract/carried';
import type { Fields } from '../../../fields';
import type { Carriers } from '../../carriers';
import { wrongField } from '../../read-fields';
import { splitAtSummary, summaryStart } from './compaction-block';
import { blocksOf, partsOf, toParts } from './parse-blocks';
import type { RequestFields } from './request-fields';

/** A result of this beginning says by itself that the tool has failed. */
const SAYS_ERROR = /error|fail|exit code|exception|denied|not found|cannot|invalid/i;
const BEGINNING = 200;

/** Reads the conversation. Messages without content that other backends understand are left out. */
export function parseMessages(messages: RequestFields['messages'], carriers: Carriers): Message[] {
  const start = summaryStart(messages);
  return messages.flatMap(({ role, content }, index) => {
    if (index < start) return [];
    const path = `messages[${index}]`;
    const blocks = blocksOf(content, `${path}.content`);
    switch (role) {
      case 'user':
        return userMessages(blocks, path, carriers);
      case 'assistant': {
        const { summary, rest } = splitAtSummary(blocks);
        const parts = rest.flatMap((block, at) => {
          return assistantParts(block, `${path}.content[${blocks.length - rest.length + at}]`, carriers);
        });
        return [
          ...ifAny('user', summary === undefined ? [] : [{ type: 'text', text: summary }]),
          ...ifAny('assistant', parts),
        ];
      }
      case 'system':
        return ifAny('system', partsOf(content, `${path}.content`));
      default:
        throw wrongField(`${path}.role`, role, 'one of user, assistant, system');
    }
  });
}

function ifAny(role: Message['role'], parts: Part[]): Message[] {
  return parts.length > 0 ? [{ role, parts }] : [];
}

/** Results come first, each in a message of its own, as other wires want them. */
function userMessages(blocks: Fields[], path: string, carriers: Carriers): Message[] {
  const results: Message[] = [];
  const parts: ContentPart[] = [];
  blocks.forEach((block, index) => {
    if (block.type === 'tool_result') results.push(toResult(block, `${path}.content[${index}]`, carriers));
    else parts.push(...toParts(block, `${path}.content[${index}]`));
  });
  return [...results, ...ifAny('user', parts)];
}

function toResult({ tool_use_id: id, content, is_error }: Fields, path: string, carriers: Carriers): Message {
  if (typeof id !== 'string') throw wrongField(`${path}.tool_use_id`, id, 'the id of a call');
  const parts = partsOf(content, `${path}.content`);
  if (is_error === true) markError(parts);
  return { role: 'tool', parts: [{ type: 'tool_result', callId: carriers.plainId(id), content: parts }] };
}

/** Other wires have no field for a failure. */
function markError(parts: ContentPart[]): void {
  const [first] = parts;
  if (first?.type !== 'text') parts.unshift({ type: 'text', text: 'Error' });
  else if (!SAYS_ERROR.test(first.text.slice(0, BEGINNING))) parts[0] = { ...first, text: `Error: ${first.text}` };
}

function assistantParts(block: Fields, path: string, carriers: Carriers): Part[] {
  switch (block.type) {
    case 'thinking':
      return toReasoning(block, carriers);
    case 'tool_use':
      return [toCall(block, path, carriers)];
    default:
      return toParts(block, path);
  }
}

/** The signature of a vendor means nothing to the others; its text may help them. */
function toReasoning({ thinking, signature }: Fields, carriers: Carriers): ReasoningPart[] {
  const part: ReasoningPart = { type: 'reasoning', text: typeof thinking === 'string' ? thinking : '' };
  const state = typeof signature === 'string' ? carriers.unpack(signature)?.state : undefined;
  if (state) return [withCarried(part, state)];
  return part.text === '' ? [] : [part];
}

function toCall({ id, name, input }: Fields, path: string, carriers: Carriers): ToolCallPart {
  if (typeof id !== 'string') throw wrongField(`${path}.id`, id, 'a text');
  if (typeof name !== 'string') throw wrongField(`${path}.name`, name, 'a text');
  const carried = carriers.unpack(id);
  const call: ToolCallPart = {
    type: 'tool_call',
    id: carried?.plain ?? id,
    name,
    arguments: JSON.stringify(input ?? {}),
  };
  return carried ? withCarried(call, carried.state) : call;
}
