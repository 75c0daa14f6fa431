import type { ContentPart, Message, PromptLayout, PromptOptions } from '../contract/api';
import { DriverError } from '../contract/driver-error';

/** One piece of a conversation: the attributes of its opening tag, and the text. */
interface Block {
  label: [name: string, value: string][];
  text: string;
}

const TAG = 'message';
/** A text that looks like our tag, however it is spaced. */
const LOOKALIKE = /<[\s/]*message(?:-(\d+))?/gi;
/** Message fields of older and rarer wire formats that hold a part of the conversation. */
const FOREIGN_FIELDS = ['tool_calls', 'function_call', 'audio'] as const;

/** `context.layoutPrompt` of the contract. */
export function layoutPrompt(
  messages: readonly Message[],
  { separateSystem = false }: PromptOptions = {},
): PromptLayout {
  const toolNames = new Map<string, string>();
  const laidOut = messages.map((message, index) => ({
    role: message.role,
    isSystem: message.role === 'system' || message.role === 'developer',
    blocks: toBlocks(message, `messages[${index}]`, toolNames),
  }));
  const spoken = laidOut.filter(({ isSystem }) => !isSystem);
  // Where a request has nothing but instructions, they are what the model is asked.
  const isSeparate = separateSystem && spoken.length > 0 && spoken.length < laidOut.length;
  const rest = isSeparate ? spoken : laidOut;
  const blocks = rest.flatMap((entry) => entry.blocks);
  if (!blocks.some(({ text }) => text.trim() !== '')) throw refuse('messages', 'the messages hold no text to answer');

  const [only] = rest;
  const isVerbatim = rest.length === 1 && only && (only.role === 'user' || only.isSystem);
  const prompt = isVerbatim ? textOf(only.blocks) : toConversation(blocks);
  if (!isSeparate) return { prompt };
  const instructions = laidOut.filter(({ isSystem }) => isSystem).map((entry) => textOf(entry.blocks));
  const system = instructions.filter((text) => text.trim() !== '').join('\n\n');
  return system === '' ? { prompt } : { system, prompt };
}

function refuse(param: string, message: string): DriverError {
  return new DriverError('invalid_request', message, { param });
}

function textOf(blocks: Block[]): string {
  return blocks.map(({ text }) => text).join('\n\n');
}

function toBlocks(message: Message, path: string, toolNames: Map<string, string>): Block[] {
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
  const add = (text: string, ...attributes: Block['label']): void => {
    flush();
    blocks.push({ label: [...label, ...attributes], text });
  };
  let position = 0;
  for (const part of message.parts) {
    switch (part.type) {
      case 'reasoning':
        add(part.text, ['type', 'reasoning']);
        break;
      case 'tool_call':
        toolNames.set(part.id, part.name);
        add(part.arguments, ['type', 'tool_call'], ['id', part.id], ['tool', part.name]);
        break;
      case 'tool_result': {
        const tool = toolNames.get(part.callId);
        const texts = part.content.map((piece, index) => textIn(piece, `${path}.content[${index}]`));
        const named: Block['label'] = tool === undefined ? [] : [['tool', tool]];
        add(texts.join('\n\n'), ['type', 'tool_result'], ['id', part.callId], ...named);
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

/** Deterministic, and each turn only appends to the prompt of the last one: backends cache by prefix. */
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
  const texts = blocks.flatMap(({ label, text }) => [text, ...label.map(([, value]) => value)]);
  const used = new Set(texts.flatMap((text) => [...text.matchAll(LOOKALIKE)].map(([, number = '1']) => number)));
  let number = 1;
  while (used.has(String(number))) number += 1;
  return number === 1 ? TAG : `${TAG}-${number}`;
}
