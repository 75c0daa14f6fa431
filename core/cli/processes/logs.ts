import { formatTime } from '../../contract/wall-clock';
import { printable } from '../../log/printable';
import { daemonLogs, type DaemonLogsOptions } from '../daemon/daemon-logs';
import { type EventWords, wordsFor } from '../../record/event-words';
import { printAnswer } from '../terminal/print';
import { untilInterrupted } from '../terminal/signals';
import { findProcess, processEvents } from './find-process';

/** `logs`: everything that a process logged besides its answer. Without a process, the log of the daemon. */
export async function logs(id: string | undefined, options: DaemonLogsOptions): Promise<void> {
  if (id === undefined) return daemonLogs(options);
  const { follow = false } = options;
  const found = await findProcess(id);
  const print = async () => {
    for await (const event of processEvents(found, follow)) {
      const line = wordsFor(LINES, event);
      if (line !== undefined) printAnswer(printable(`${formatTime(event.time)} ${line}`));
    }
  };
  await untilInterrupted(print());
}

const LINES: EventWords = {
  notice: ({ level, message }) => `${level.padEnd(5)} ${message}`,
  log: ({ level, message, fields }) => `${level.padEnd(5)} ${message}${fields ? ` ${JSON.stringify(fields)}` : ''}`,
  driver: ({ event, fields }) => `info  ${event} ${JSON.stringify(fields)}`,
  retry: ({ reason }) => `warn  retry: ${reason}`,
  fallback: ({ from, to, reason }) => `warn  fallback from ${from} to ${to}: ${reason}`,
  tool_call: ({ tool, refused }) => (refused === undefined ? undefined : `warn  ${tool} refused: ${refused}`),
  exit: ({ message, hint }) => (message === undefined ? undefined : `error ${message}${hint ? `; ${hint}` : ''}`),
};
