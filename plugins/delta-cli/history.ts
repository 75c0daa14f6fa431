import type { ContentPart, Message, ToolResultPart } from 'drivebay/plugin';
import type { Fields } from '../_shared/fields';
import { isContent, isInstruction } from '../_shared/http/message-parts';

/** A conversation as the program takes it. */
interface History {
  /** What stands at its beginning for the model to follow. */
  instructions: string | undefined;
  /** The turns before the question, as items of the Responses API. */
  items: Fields[];
  /** The question. Empty after the results of tools. */
  input: Fields[];
}

export type Turns = Omit<History, 'instructions'>;

/** The messages as turns. Undefined where they do not fit: then they are laid out as one text. */
export function toHistory(messages: readonly Message[]): History | undefined {
  const first = messages.findIndex((message) => !isInstruction(message));
  const [before, after] = [messages.slice(0, first < 0 ? undefined : first), first < 0 ? [] : messages.slice(first)];
  const instructions = before.flatMap(({ parts, name }) => (name === undefined ? parts : [undefined]));
  if (!instructions.every((part) => part?.type === 'text')) return undefined;
  const turns = toTurns(after);
  if (!turns) return undefined;
  const text = instructions.map((part) => part.text).join('\n\n');
  return { instructions: before.length === 0 ? undefined : text, ...turns };
}

/** The same without instructions at the beginning: for a thread that has them already. */
export function toTurns(messages: readonly Message[]): Turns | undefined {
  const items: Fields[] = [];
  for (const message of messages.slice(0, -1)) {
    const more = toItems(message);
    if (!more) return undefined;
    items.push(...more);
  }
  const last = messages.at(-1);
  if (last?.role === 'tool') {
    const more = toItems(last);
    return more && { items: [...items, ...more], input: [] };
  }
  const input = last?.role === 'user' && last.name === undefined ? contentOf(last.parts, toInput) : undefined;
  return input && input.length > 0 ? { items, input } : undefined;
}

/** What a tool said, as the model gets it. */
function outputOf({ content }: ToolResultPart): unknown {
  const texts = content.map((part) => (part.type === 'text' ? part.text : undefined));
  if (texts.every((text) => text !== undefined)) return texts.join('\n');
  return contentOf(content, (part) => toContent(part, 'input_text'));
}

/** The same for a thread that waits for it. */
export function resultItems({ content }: ToolResultPart): Fields[] {
  return content.flatMap((part): Fields[] => {
    if (part.type === 'text') return [{ type: 'inputText', text: part.text }];
    return part.type === 'image' ? [{ type: 'inputImage', imageUrl: part.url }] : [];
  });
}

function toItems(message: Message): Fields[] | undefined {
  const { role, name, parts } = message;
  if (name !== undefined && role !== 'tool') return undefined;
  const items: Fields[] = [];
  const content: Fields[] = [];
  const type = role === 'assistant' ? 'output_text' : 'input_text';
  // The program leaves out messages of the system that do not stand at the beginning.
  const teller = isInstruction(message) ? 'developer' : role;
  const end = (): void => {
    if (content.length > 0) items.push({ type: 'message', role: teller, content: content.splice(0) });
  };
  for (const part of parts) {
    if (part.type === 'reasoning') continue;
    if (part.type === 'tool_call') {
      end();
      items.push({ type: 'function_call', name: part.name, arguments: part.arguments || '{}', call_id: part.id });
    } else if (part.type === 'tool_result') {
      end();
      items.push({ type: 'function_call_output', call_id: part.callId, output: outputOf(part) });
    } else {
      const piece = toContent(part, type);
      if (!piece) return undefined;
      if (piece.text !== '') content.push(piece);
    }
  }
  end();
  return items;
}

/** Undefined where one of the parts has no form. */
function contentOf(parts: Message['parts'], form: (part: ContentPart) => Fields | undefined): Fields[] | undefined {
  const all = parts.map((part) => (isContent(part) ? form(part) : undefined));
  return all.every((piece) => piece !== undefined) ? all.filter(({ text }) => text !== '') : undefined;
}

function toContent(part: ContentPart, type: 'input_text' | 'output_text'): Fields | undefined {
  if (part.type === 'text') return { type, text: part.text };
  if (part.type === 'image' && type === 'input_text') return { type: 'input_image', image_url: part.url };
  return undefined;
}

function toInput(part: ContentPart): Fields | undefined {
  if (part.type === 'text') return { type: 'text', text: part.text };
  return part.type === 'image' ? { type: 'image', url: part.url } : undefined;
}
