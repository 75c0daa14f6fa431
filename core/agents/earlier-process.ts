import type { Message } from '../contract/api';
import { messageOf, UsageError } from '../errors';
import { howToMove, isDiskFull } from '../paths';
import type { ProcessEvent, RecordedSession } from '../record/process-event';
import type { ProcessStore } from '../record/process-store';
import type { ProcessSummary } from '../record/process-summary';
import { foldEvent, type ProcessView } from '../record/process-view';
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
export async function recallProcess(
  store: ProcessStore,
  { pid, end }: Pick<ProcessSummary, 'pid' | 'end'>,
): Promise<EarlierProcess> {
  if (!end) {
    throw new UsageError(
      `process ${pid} still runs`,
      `wait for its end: drivebay wait ${pid}; or end it: drivebay kill ${pid}`,
    );
  }
  const last = await readWhole(store, pid, `there is no record of process ${pid}`);
  const turns = [recordedMessages(last.events)];
  for (let { pid: next, continues: before } = last.view; before !== undefined;) {
    const missing = `process ${next} continues process ${before}, of which there is no record`;
    const { view, events } = await readWhole(store, before, missing);
    turns.unshift(recordedMessages(events));
    ({ pid: next, continues: before } = view);
  }
  const session = last.view.end?.state === 'done' ? sessionIn(last.events) : undefined;
  return { view: last.view, messages: turns.flat(), session };
}

/** Half a record would be half a conversation, and the model would not know: so it counts as none. */
async function readWhole(
  store: ProcessStore,
  pid: number,
  message: string,
): Promise<{ view: ProcessView; events: ProcessEvent[] }> {
  const loss = await store.lossOf(pid);
  // A file that did not take its events may be no file to read.
  if (loss !== undefined) throw gone(`${message}: ${messageOf(loss)}`, howToMove('state', isDiskFull(loss)));
  const events: ProcessEvent[] = [];
  let view: ProcessView | undefined;
  for await (const event of store.events(pid)) {
    events.push(event);
    view = foldEvent(view, event);
  }
  if (!view?.end) throw gone(message, WITHOUT_RECORD);
  return { view, events };
}

/** The session that the last step told of. An answer that broke off may be in it or not, so then there is none. */
function sessionIn(events: readonly ProcessEvent[]): RecordedSession | undefined {
  const inner = new Set<number>();
  let last: RecordedSession | undefined;
  for (const event of events) {
    if (event.type === 'step' && event.call !== undefined) inner.add(event.step);
    if (event.type !== 'step_end' || inner.has(event.step)) continue;
    last = event.finish === 'stop' ? event.session : undefined;
  }
  return last;
}

function gone(message: string, hint: string): UsageError {
  return new UsageError(message, `${hint}; to start over: drivebay "<intent>"`);
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
