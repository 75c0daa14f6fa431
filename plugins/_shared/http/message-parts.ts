import type { ContentPart, Message, Part } from 'drivebay/plugin';
import { type Fields, isFields, parseJson, textOf } from '../fields';
import type { MakeError } from './explain-error';

export function isContent(part: Part): part is ContentPart {
  return part.type !== 'reasoning' && part.type !== 'tool_call' && part.type !== 'tool_result';
}

/** Whether a message is no part of the talk: it tells the model how to answer. */
export function isInstruction({ role }: Message): boolean {
  return role === 'system' || role === 'developer';
}

/** An assistant's content, and the refusal that clients send beside the content. */
export function saidBy({ parts, extra }: Message): ContentPart[] {
  const content = parts.filter(isContent);
  const refusal = textOf(extra?.refusal);
  return refusal === undefined ? content : [...content, { type: 'other', value: { type: 'refusal', refusal } }];
}

export function hasReasoning(messages: readonly Message[]): boolean {
  return messages.some(({ parts }) => parts.some(({ type }) => type === 'reasoning'));
}

/** Throws for calls in a message that are not calls of function tools: without them the conversation is another one. */
export function refuseForeignCalls({ extra }: Message, path: string, makeError: MakeError): void {
  for (const name of ['tool_calls', 'function_call']) {
    if (!extra?.[name]) continue;
    throw makeError('invalid_request', 'only calls of functions are known to this vendor', {
      param: `${path}.${name}`,
    });
  }
}

const OLD_TOOLS = ['functions', 'function_call'];

/** Throws for the first form that chat completions had for tools: without them the model would only talk. */
export function refuseOldTools(extra: Fields, makeError: MakeError): void {
  const name = OLD_TOOLS.find((each) => extra[each] !== undefined);
  if (name === undefined) return;
  throw makeError('invalid_request', `${name} is out of date: use tools and tool_choice`, { param: name });
}

/**
 * The arguments of an earlier call, for a vendor that takes objects only. A model's mistake must not end the conversation:
 * a text that is no object goes along as one argument.
 */
export function toArguments(text: string): Fields {
  if (text.trim() === '') return {};
  const value = parseJson(text, text);
  return isFields(value) ? value : { arguments: value };
}

export interface DataUrl {
  mediaType: string;
  /** Base64, as it came. */
  data: string;
}

const HEAD = /^data:([^;,]*)((?:;[^;,]*)*);base64$/i;

/** The parts of a `data:` URL with base64 content; undefined for everything else. */
export function readDataUrl(url: string): DataUrl | undefined {
  const comma = url.indexOf(',');
  // Speed: only the head is searched, because the content may have megabytes.
  const mediaType = comma < 0 ? undefined : HEAD.exec(url.slice(0, comma))?.[1];
  return mediaType ? { mediaType: mediaType.toLowerCase(), data: url.slice(comma + 1) } : undefined;
}

/** Texts that follow each other make one: some servers make a message of each, and templates then refuse the second one. */
export function joinTexts<P extends Part>(parts: P[]): P[] {
  const joined: P[] = [];
  for (const part of parts) {
    const last = joined.at(-1);
    if (part.type === 'text' && last?.type === 'text') {
      joined[joined.length - 1] = { ...last, text: `${last.text}\n\n${part.text}` };
    } else {
      joined.push(part);
    }
  }
  return joined;
}
