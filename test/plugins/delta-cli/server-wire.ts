import { type CliConversation, type CliRunRecord, type CliStep, HANG } from 'drivebay/testing';
import { type Fields, isFields } from '../../../plugins/_shared/fields';
import { answersWith, appServer, inThread, isServer, type Sent, toNotifications } from './app-server-script';

export { isServer };

/** What a program was told of each thread, and the turn that it was asked for last. */
interface Told {
  threads: Map<string, { settings: Fields; items: unknown[] }>;
  turn?: Fields;
}

const told = new WeakMap<CliRunRecord, Told>();

function toldTo(run: CliRunRecord): Told {
  const known = told.get(run) ?? { threads: new Map() };
  told.set(run, known);
  return known;
}

/** A program that serves many threads. One turn without an end does not stop it: it hears the others, and writes whole lines. */
export function serverConversation(play: (run: CliRunRecord) => CliStep[]): CliConversation {
  const note = (sent: Sent, run: CliRunRecord): CliStep[] | undefined => {
    const { threads } = toldTo(run);
    const { method, params = {} } = sent;
    if (method === 'thread/start') {
      const id = `thread-${threads.size + 1}`;
      threads.set(id, { settings: params, items: [] });
      return [answersWith(sent, { thread: { id } })];
    }
    if (method === 'thread/inject_items') threads.get(String(params.threadId))!.items.push(params.items);
    return undefined;
  };
  const turn = ({ params }: Sent, run: CliRunRecord): CliStep[] => {
    toldTo(run).turn = params;
    const steps = play(run);
    return steps.at(-1) === HANG ? steps.slice(0, -1).filter((step) => !Object.hasOwn(Object(step), 'stdout')) : steps;
  };
  return appServer({ turn, other: note });
}

/** Events of `codex exec`, as such a program tells them of its turn. */
export function inWords(run: CliRunRecord, events: CliStep[]): CliStep[] {
  const threadId = String(toldTo(run).turn?.threadId);
  return isServer(run) ? events.flatMap(toNotifications).map((step) => inThread(step, threadId)) : events;
}

/** What it knows of the thread whose turn it was asked for last. */
export function receivedByServer(run: CliRunRecord) {
  const { threads, turn = {} } = toldTo(run);
  const { settings, items } = threads.get(String(turn.threadId))!;
  const texts = [settings.baseInstructions, ...textsIn([items, turn.input])].filter((text) => typeof text === 'string');
  return { texts, model: settings.model as string | undefined, reasoningEffort: turn.effort as string | undefined };
}

function textsIn(value: unknown): string[] {
  if (Array.isArray(value)) return value.flatMap(textsIn);
  if (!isFields(value)) return [];
  return typeof value.text === 'string' ? [value.text] : Object.values(value).flatMap(textsIn);
}
