import type { ContentPart, Message, PromptLayout, PromptOptions } from '../contract/api';
import { DriverError } from '../contract/driver-error';

/** One piece of a conversation: what stands in the opening tag, and the text. */
interface Block {
  label: [name: string, value: string][];
  text: string;
}

const TAG = 'message';
/** Where a text says something that looks like our tag, however it is spaced. */
const LOOKALIKE = /<[\s/]*message(?:-(\d+))?/gi;
/** Message fields of older and rarer wire formats that hold a part of the conversation. */
const FOREIGN_FIELDS = ['tool_calls', 'function_call', 'audio'] as const;

/** `context.layoutPrompt` of the contract. */
export function layoutPrompt(
  messages: readonly Message[],
  { separateSystem = false }: PromptOptions = {},
): PromptLayout {
  const toolNames = new Map<string, string>();
  const laidOut = messages.map((message, index) => ({ message, blocks: toBlocks(message, index, toolNames) }));
  const spoken = laidOut.filter(({ message }) => !isSystem(message));
  // Nothing but instructions: they are what there is to answer.
  const isSeparate = separateSystem && spoken.length > 0 && spoken.length < laidOut.length;
  const rest = isSeparate ? spoken : laidOut;
  const blocks = rest.flatMap((entry) => entry.blocks);
  if (!blocks.some(({ text }) => text.trim() !== '')) throw refuse('messages', 'the messages hold no text to answer');

  const [only] = rest;
  const isVerbatim = rest.length === 1 && only && (only.message.role === 'user' || isSystem(only.message));
  const prompt = isVerbatim ? textOf(only.blocks) : toConversation(blocks);
  const system = isSeparate
    ? laidOut
        .filter(({ message }) => isSystem(message))
        .map((entry) => textOf(entry.blocks))
        .filter((text) => text.trim() !== '')
        .join('\n\n')
    : '';
  return system === '' ? { prompt } : { system, prompt };
}

function refuse(param: string, message: string): DriverError {
  return new DriverError('invalid_request', message, { param });
}

function isSystem({ role }: Message): boolean {
  return role === 'system' || role === 'developer';
}

function textOf(blocks: Block[]): string {
  return blocks.map(({ text }) => text).join('\n\n');
}

function toBlocks(message: Message, index: number, toolNames: Map<string, string>): Block[] {
  const path = `messages[${index}]`;
  const foreign = FOREIGN_FIELDS.find((name) => message.extra?.[name] !== undefined);
  if (foreign) throw refuse(`${path}.${foreign}`, `this provider takes a text, and ${foreign} of this kind is none`);
  const label: Block['label'] = [['role', message.role]];
  if (message.name !== undefined) label.push(['name', message.name]);

  const blocks: Block[] = [];
  let paragraphs: string[] = [];
  const flush = (): void => {
    if (paragraphs.length > 0) blocks.push({ label, text: paragraphs.join('\n\n') });
    paragraphs = [];
  };
  let position = 0;
  for (const part of message.parts) {
    switch (part.type) {
      case 'reasoning':
        flush();
        blocks.push({ label: [...label, ['type', 'reasoning']], text: part.text });
        break;
      case 'tool_call':
        flush();
        toolNames.set(part.id, part.name);
        blocks.push({
          label: [...label, ['type', 'tool_call'], ['id', part.id], ['tool', part.name]],
          text: part.arguments,
        });
        break;
      case 'tool_result': {
        flush();
        const tool = toolNames.get(part.callId);
        const answered: Block['label'] = [...label, ['type', 'tool_result'], ['id', part.callId]];
        if (tool !== undefined) answered.push(['tool', tool]);
        const texts = part.content.map((piece, index) => textIn(piece, `${path}.content[${index}]`));
        blocks.push({ label: answered, text: texts.join('\n\n') });
        break;
      }
      default:
        paragraphs.push(textIn(part, `${path}.content[${position}]`));
        position += 1;
    }
  }
  flush();
  // A message without content is still a turn.
  return blocks.length > 0 ? blocks : [{ label, text: '' }];
}

function textIn(part: ContentPart, path: string): string {
  if (part.type === 'text') return part.text;
  const type = part.type === 'other' ? String(part.value.type) : part.type;
  throw refuse(path, `this provider takes text only, not a part of type "${type}"`);
}

/** Deterministic, and each turn only appends to the last one's prompt: backends cache by prefix. */
function toConversation(blocks: Block[]): string {
  const tag = unusedTag(blocks);
  const head =
    `The conversation so far, oldest first, each message inside its own <${tag}> tags. ` +
    "Write the assistant's next message, without tags.";
  const turns = blocks.map(({ label, text }) => {
    const attributes = label.map(([name, value]) => `${name}=${JSON.stringify(value)}`).join(' ');
    return `<${tag} ${attributes}>\n${text}\n</${tag}>`;
  });
  return [head, ...turns].join('\n\n');
}

/** A tag that no text of the conversation contains, so that no text can pretend to be another message. */
function unusedTag(blocks: Block[]): string {
  const used = new Set<string>();
  for (const { label, text } of blocks) {
    for (const part of [text, ...label.map(([, value]) => value)]) {
      for (const [, number = '1'] of part.matchAll(LOOKALIKE)) used.add(number);
    }
  }
  let number = 1;
  while (used.has(String(number))) number += 1;
  return number === 1 ? TAG : `${TAG}-${number}`;
}
