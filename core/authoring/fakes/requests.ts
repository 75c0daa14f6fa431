import type { ChatRequest, Message } from '../../contract/api';
import { CallEnd } from '../../contract/call-end';
import type { Caller } from '../../providers/caller';
import type { ScriptedAnswer } from './backend';

export const MODEL = 'kit-model-1';

/** A folder in front of all paths of a fake server: the wire of an author does not see it. */
export const BASE_PATH = '/kit-base';

/** The values of `stream` that a case tries. */
export const MODES = [true, false];

const PIECES = ['The', ' quick', ' brown', ' fox', ' jumps', ' over', ' the', ' lazy', ' dog.'];

export function scripted(fields: Partial<ScriptedAnswer> = {}): ScriptedAnswer {
  return { pieces: PIECES, usage: { inputTokens: 11, outputTokens: 7 }, finish: 'stop', ...fields };
}

export function textOf({ pieces }: ScriptedAnswer): string {
  return pieces.join('');
}

/** A request for an answer. Its one message is the text of the answer. */
export function ask(answer: ScriptedAnswer | string, fields: Partial<ChatRequest> = {}): ChatRequest {
  const text = typeof answer === 'string' ? answer : textOf(answer);
  return { model: MODEL, stream: true, messages: [message('user', text || 'Say nothing.')], extra: {}, ...fields };
}

export function message(role: Message['role'], ...texts: string[]): Message {
  return { role, parts: texts.map((text) => ({ type: 'text', text })) };
}

export function callerOf(id: string): Caller {
  return { id, asker: { type: 'gateway' }, abort: new CallEnd(), arrivedAt: Date.now() };
}

/** Holds back a piece of an answer until `release` is called. */
export function gate(): { hold: Promise<void>; release: () => void } {
  let release = (): void => undefined;
  const hold = new Promise<void>((resolve) => (release = resolve));
  return { hold, release };
}
