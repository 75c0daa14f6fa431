import type { Message } from '../contract/api';
import { UsageError } from '../errors';
import type { ProcessEvent, RecordedSession } from '../record/process-event';
import type { ProcessStore } from '../record/process-store';
import type { ProcessView } from '../record/process-view';
import { WITHOUT_RECORD } from '../record/read-processes';
import { recordedMessages } from '../record/recorded-messages';

/** A process that another one continues. */
export interface EarlierProcess {
  view: ProcessView;
  /** What was said in it, and in the processes that it continued itself, oldest first. */
  messages: Message[];
  /** Where the backend keeps all of that, as far as it said so. */
  session?: RecordedSession;
}

/** Reads a process that has ended. Throws a UsageError where it cannot be continued. */
export async function recallProcess(store: ProcessStore, pid: number): Promise<EarlierProcess> {
  const view = await store.view(pid);
  if (!view) throw gone(`there is no record of process ${pid}`);
  if (!view.end) {
    throw new UsageError(
      `process ${pid} still runs`,
      `wait for its end: drivebay wait ${pid}; or end it: drivebay kill ${pid}`,
    );
  }
  const turns: Message[][] = [];
  for (let next: ProcessView | undefined = view; next;) {
    turns.unshift(await recordedMessages(store.events(next.pid)));
    const before: number | undefined = next.continues;
    if (before === undefined) break;
    const earlier: ProcessView | undefined = await store.view(before);
    if (!earlier) throw gone(`process ${next.pid} continues process ${before}, of which there is no record`);
    next = earlier;
  }
  const session = view.end.state === 'done' ? await sessionIn(store.events(pid)) : undefined;
  return { view, messages: turns.flat(), session };
}

/** The session that the last step told of. An answer that broke off may be in it or not, so then there is none. */
async function sessionIn(events: AsyncIterable<ProcessEvent>): Promise<RecordedSession | undefined> {
  const inner = new Set<number>();
  let last: RecordedSession | undefined;
  for await (const event of events) {
    if (event.type === 'step' && event.call !== undefined) inner.add(event.step);
    if (event.type !== 'step_end' || inner.has(event.step)) continue;
    last = event.finish === 'stop' ? event.session : undefined;
  }
  return last;
}

function gone(message: string): UsageError {
  return new UsageError(message, `${WITHOUT_RECORD}; to begin anew: drivebay "<intent>"`);
}

/** A process that failed before any answer leaves a user message without one: some backends refuse two in a row. */
export function joinUserMessages(messages: readonly Message[]): Message[] {
  const joined: Message[] = [];
  for (const message of messages) {
    const last = joined.at(-1);
    if (last?.role !== 'user' || message.role !== 'user') joined.push(message);
    else
      joined[joined.length - 1] = {
        role: 'user',
        parts: [{ type: 'text', text: [last, message].map(textOf).join('\n\n') }],
      };
  }
  return joined;
}

function textOf({ parts }: Message): string {
  return parts.map((part) => (part.type === 'text' ? part.text : '')).join('');
}
