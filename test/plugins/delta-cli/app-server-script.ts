import type { CliConversation, CliRunRecord, CliStep } from 'drivebay/testing';
import { fieldsOf, type Fields } from '../../../plugins/_shared/fields';

/** A message that the driver sends to a program that serves many threads. */
export interface Sent {
  id?: number;
  method?: string;
  params?: Fields;
  result?: Fields;
  error?: Fields;
}

export const isServer = ({ argv }: CliRunRecord): boolean => argv[0] === 'app-server';
export const sentBy = (run: CliRunRecord): Sent[] => run.lines.map((line) => JSON.parse(line) as Sent);

export const answersWith = ({ id }: Sent, result: Fields = {}): Fields => ({ id, result });
export const refuses = ({ id }: Sent, message = 'Invalid request'): Fields => ({
  id,
  error: { code: -32600, message },
});

interface Script {
  /** What the program tells of a turn, as `codex exec` would, or in its own words. */
  turn: (sent: Sent, run: CliRunRecord) => CliStep[];
  /** The steps for other requests of the driver. Undefined: the usual answer. */
  other?: (sent: Sent, run: CliRunRecord) => CliStep[] | undefined;
}

/** How `codex app-server` speaks, after the recordings of the real program. */
export function appServer({ turn, other }: Script): CliConversation {
  let threads = 0;
  let turns = 0;
  return {
    isOne: isServer,
    answer(line, run) {
      const sent = JSON.parse(line) as Sent;
      const steps = other?.(sent, run);
      if (steps) return steps;
      if (sent.method === 'thread/start') return [answersWith(sent, { thread: { id: `thread-${(threads += 1)}` } })];
      if (sent.method !== 'turn/start') return sent.id === undefined || !sent.method ? [] : [answersWith(sent)];
      const id = `turn-${(turns += 1)}`;
      const begun = answersWith(sent, { turn: { id, status: 'inProgress' } });
      const threadId = String(sent.params?.threadId);
      return [
        begun,
        ...turn(sent, run)
          .flatMap(toNotifications)
          .map((step) => inThread(step, threadId)),
      ];
    },
  };
}

export const told = (method: string, params: Fields = {}): Fields => ({ method, params });
export const delta = (text: string, itemId = 'msg_1'): Fields =>
  told('item/agentMessage/delta', { itemId, delta: text });
export const item = (fields: Fields, stage = 'completed'): Fields => told(`item/${stage}`, { item: fields });
export const tokens = (inputTokens: number, outputTokens: number): Fields =>
  told('thread/tokenUsage/updated', { tokenUsage: { total: { inputTokens, outputTokens, cachedInputTokens: 0 } } });
export const completed = told('turn/completed', { turn: { status: 'completed', error: null } });

/** An event of `codex exec`, as the notifications that it makes the event of. Every other step stays as it is. */
export function toNotifications(step: CliStep): CliStep[] {
  const { type, message, ...more } = fieldsOf(step);
  if (typeof type !== 'string') return [step];
  const [error, usage, of] = [fieldsOf(more.error), fieldsOf(more.usage), fieldsOf(more.item)];
  switch (type) {
    case 'error': {
      const [, notice, details] =
        /^(Reconnecting\.\.\. [^(]*\d+\/\d+|Reconnecting\.\.\. waiting for network) ?(?:\(([^]*)\))?$/.exec(
          String(message),
        ) ?? [];
      const told_ = { message: notice ?? message, additionalDetails: details ?? null };
      return [told('error', { error: told_, willRetry: notice !== undefined })];
    }
    case 'turn.failed':
      return [told('turn/completed', { turn: { status: 'failed', error } })];
    case 'turn.completed':
      return [told('thread/tokenUsage/updated', { tokenUsage: { total: camelCased(usage) } }), completed];
    case 'item.completed':
      return [of.type === 'error' ? told('warning', { message: of.message }) : item(toItem(of))];
    case 'item.started':
      return [item(toItem(of), 'started')];
    default:
      return [];
  }
}

function toItem({ text, ...rest }: Fields): Fields {
  const { type, status, ...fields } = camelCased(rest);
  const words = type === 'reasoning' ? { summary: [text] } : { text };
  return {
    ...fields,
    ...words,
    type: camelCase(String(type)),
    ...(status !== undefined && { status: camelCase(status as string) }),
  };
}

const camelCase = (word: string) => word.replaceAll(/_(\w)/g, (_, letter: string) => letter.toUpperCase());

const camelCased = (fields: Fields): Fields =>
  Object.fromEntries(Object.entries(fields).map(([name, value]) => [camelCase(name), value]));

export function inThread(step: CliStep, threadId: string): CliStep {
  const { method, params } = fieldsOf(step);
  return method === undefined ? step : { ...(step as Fields), params: { threadId, ...fieldsOf(params) } };
}
