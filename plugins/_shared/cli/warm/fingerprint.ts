import { createHash, type Hash } from 'node:crypto';
import type { ChatEvent, ContentPart, Message, Part } from 'drivebay/plugin';
import { parseJson } from '../../fields';

/** What the model answered, as the client sends it back. */
export interface Answered {
  text: string;
  calls: { id: string; name: string; arguments: string }[];
}

/** Adds what the events of the model say. */
export function addEvents(answered: Answered, events: readonly ChatEvent[]): void {
  for (const event of events) {
    if (event.type === 'text') answered.text += event.text;
    if (event.type !== 'tool_call') continue;
    const { id = '', name = '', arguments: args = '' } = event;
    answered.calls.push({ id, name, arguments: args });
  }
}

/** Marks of one conversation: equal for the same messages only, however a client spells them. */
export interface Marks {
  /** Of everything up to the last answer of the model; undefined in a new conversation. */
  before: string | undefined;
  /** The messages after that. */
  tail: readonly Message[];
  /** The mark that the next request of the conversation comes with, when this is the answer to this one. */
  after(answer: Answered): string;
}

/** `setting`: what else has to be the same, such as the scope of the call, the model and the tools. */
export function marksOf(messages: readonly Message[], setting: readonly unknown[]): Marks {
  const hash = createHash('sha256').update(JSON.stringify(setting));
  const last = messages.findLastIndex(({ role }) => role === 'assistant');
  let before: string | undefined;
  for (const [index, message] of messages.entries()) {
    add(hash, plainForm(message));
    if (index === last) before = hash.copy().digest('base64');
  }
  return {
    before,
    tail: messages.slice(last + 1),
    after({ text, calls }) {
      const parts = calls.map(({ id, name, arguments: args }) => ['call', id, name, sorted(args)]);
      const next = hash.copy();
      add(next, ['assistant', text, ...parts]);
      return next.digest('base64');
    },
  };
}

function add(hash: Hash, form: unknown): void {
  hash.update('\n').update(JSON.stringify(form));
}

/** Thoughts are left out: clients do not send them back. */
function plainForm({ role, name = '', parts }: Message): unknown[] {
  if (role === 'assistant') {
    const text = parts.map((part) => (part.type === 'text' ? part.text : '')).join('');
    const others = parts.flatMap((part) => (part.type === 'text' || part.type === 'reasoning' ? [] : [formOf(part)]));
    return ['assistant', text, ...others];
  }
  return [role === 'developer' ? 'system' : role, name, ...parts.map(formOf)];
}

function formOf(part: Part): unknown {
  switch (part.type) {
    case 'tool_call':
      return ['call', part.id, part.name, sorted(part.arguments)];
    case 'tool_result':
      return ['result', part.callId, ...part.content.map(contentForm)];
    case 'reasoning':
      return ['reasoning'];
    default:
      return contentForm(part);
  }
}

/** `extra` holds hints that move from message to message, for example where a cache ends. */
function contentForm(part: ContentPart): unknown {
  if (part.type === 'other') return part.value;
  const { extra: _extra, ...form } = part;
  return form;
}

/** Clients write arguments anew, with other spaces. */
function sorted(args: string): unknown {
  return parseJson(args === '' ? '{}' : args, args);
}
