import { printable } from '../../log/printable';
import type { ProcessEvent } from '../../record/process-event';
import { formatTime } from '../../record/wall-clock';
import { printAnswer } from '../terminal/print';
import { untilInterrupted } from '../terminal/signals';
import { processEvents } from './process-events';
import { findProcess } from './read-processes';

/** `logs`: everything that a process logged besides its answer. */
export async function logs(id: string, { follow = false }: { follow?: boolean }): Promise<void> {
  const found = await findProcess(id);
  const print = async () => {
    for await (const event of processEvents(found, follow)) {
      const line = toLine(event);
      if (line !== undefined) printAnswer(printable(`${formatTime(event.time)} ${line}`));
    }
  };
  await untilInterrupted(print());
}

function toLine(event: ProcessEvent): string | undefined {
  switch (event.type) {
    case 'notice':
      return `${event.level.padEnd(5)} ${event.message}`;
    case 'log':
      return `${event.level.padEnd(5)} ${event.message}${event.fields ? ` ${JSON.stringify(event.fields)}` : ''}`;
    case 'driver':
      return `info  ${event.event} ${JSON.stringify(event.fields)}`;
    case 'retry':
      return `warn  retry: ${event.reason}`;
    case 'fallback':
      return `warn  fallback from ${event.from} to ${event.to}: ${event.reason}`;
    case 'tool_call':
      return event.refused === undefined ? undefined : `warn  ${event.tool} refused: ${event.refused}`;
    case 'exit':
      return event.message === undefined ? undefined : `error ${event.message}${event.hint ? `; ${event.hint}` : ''}`;
    default:
      return undefined;
  }
}
