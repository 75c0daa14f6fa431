import type { ChatRequest, Message } from '../../contract/api';
import type { ScriptedAnswer } from './backend';

/** The model that cases ask for. */
export const MODEL = 'kit-model-1';

const PIECES = ['The', ' quick', ' brown', ' fox', ' jumps', ' over', ' the', ' lazy', ' dog.'];

/** An answer with some text, in pieces. */
export function scripted(fields: Partial<ScriptedAnswer> = {}): ScriptedAnswer {
  return { pieces: PIECES, usage: { inputTokens: 11, outputTokens: 7 }, finish: 'stop', ...fields };
}

export function textOf({ pieces }: ScriptedAnswer): string {
  return pieces.join('');
}

/** A request for an answer: its one message is the text that it will be answered with. */
export function ask(answer: ScriptedAnswer | string, fields: Partial<ChatRequest> = {}): ChatRequest {
  const text = typeof answer === 'string' ? answer : textOf(answer);
  return { model: MODEL, stream: true, messages: [message('user', text || 'Say nothing.')], extra: {}, ...fields };
}

export function message(role: Message['role'], ...texts: string[]): Message {
  return { role, parts: texts.map((text) => ({ type: 'text', text })) };
}
