import type { ContentPart, Message } from 'drivebay/plugin';
import { type Fields, isFields, parseJson } from '../../_shared/fields';
import { type DataUrl, isContent, isInstruction, readDataUrl } from '../../_shared/http/message-parts';

interface ToldCall {
  id: string;
  name: string;
  args: Fields;
  output: string;
  images: DataUrl[];
}

/** A turn of a conversation, as the session files of the programs have them. */
export type ToldTurn = { role: 'user'; text: string } | { role: 'model'; text: string; calls: ToldCall[] };

export interface Told {
  system: string;
  turns: ToldTurn[];
  /** What is asked now. */
  prompt: string;
}

/** A prompt has to have a text. */
const GO_ON = 'Continue with these tool results.';

interface TurnRules {
  /** The name that a tool has upstream. */
  toolName?: (name: string) => string;
  /** Whether the session files of the program have a place for images of results. */
  takesImages?: boolean;
}

/**
 * The messages as turns of a user and a model. Undefined where they do not fit: then they are laid out as one text. A call
 * that has no result, an image of the user and a turn of the model without a turn before it do not fit.
 */
export function toTurns(
  messages: readonly Message[],
  { toolName = (name) => name, takesImages = false }: TurnRules = {},
): Told | undefined {
  const system: string[] = [];
  const turns: ToldTurn[] = [];
  const open = new Map<string, ToldCall>();
  for (const message of messages) {
    const { role, name, parts } = message;
    if (name !== undefined && role !== 'tool') return undefined;
    const calls: ToldCall[] = [];
    for (const part of parts) {
      if (part.type === 'tool_result') {
        const call = open.get(part.callId);
        const images = imagesOf(part.content);
        const output = textOf(takesImages ? part.content.filter(({ type }) => type !== 'image') : part.content);
        if (!call || !images || output === undefined) return undefined;
        Object.assign(call, { output, images });
        open.delete(part.callId);
      } else if (part.type === 'tool_call') {
        const args = argumentsOf(part.arguments);
        if (!args) return undefined;
        const call = { id: part.id, name: toolName(part.name), args, output: '', images: [] };
        calls.push(call);
        open.set(part.id, call);
      }
    }
    const text = textOf(parts.filter(isContent));
    if (text === undefined) return undefined;
    if (isInstruction(message)) system.push(text);
    else if (role === 'assistant') {
      if (turns.length === 0 || (text.trim() === '' && calls.length === 0)) return undefined;
      turns.push({ role: 'model', text, calls });
    } else if (text.trim() !== '') {
      const last = turns.at(-1);
      if (last?.role === 'user') last.text += `\n\n${text}`;
      else turns.push({ role: 'user', text });
    }
  }
  if (open.size > 0) return undefined;
  const last = turns.at(-1);
  if (last?.role === 'user') turns.pop();
  else if (!last || last.calls.length === 0) return undefined;
  return {
    system: system.filter((text) => text.trim() !== '').join('\n\n'),
    turns,
    prompt: last.role === 'user' ? last.text : GO_ON,
  };
}

/** Undefined where a part is not text. */
function textOf(parts: readonly ContentPart[]): string | undefined {
  if (!parts.every((part) => part.type === 'text')) return undefined;
  return parts.map((part) => part.text).join('\n\n');
}

/** Undefined where one is not there, but elsewhere. */
function imagesOf(parts: readonly ContentPart[]): DataUrl[] | undefined {
  const images = parts.flatMap((part) => (part.type === 'image' ? [readDataUrl(part.url)] : []));
  return images.every((image) => image !== undefined) ? images : undefined;
}

/** Whether the program would take the text for a command of its own. */
export function isCommand(text: string): boolean {
  return /^\s*[/$]/.test(text);
}

function argumentsOf(args: string): Fields | undefined {
  const value = args === '' ? {} : parseJson(args);
  return isFields(value) ? value : undefined;
}
