import type { ProcessEvent } from '../../record/process-event';
import { ApiError, getLines } from './api';
import { ProcessDetail } from './process-detail';
import { useAnswer } from './use-answer';
import { useStore } from './use-store';

/** Loads the record of a process and continues it with live events. Keeps the events that arrive during the load. */
export function useProcess(pid: number) {
  const store = useStore();
  // A new state means that events may be missing, so the process loads again.
  const { state } = store;
  return useAnswer(
    async (signal) => {
      const early: ProcessEvent[] = [];
      let take = (event: ProcessEvent): void => void early.push(event);
      const stop = store.follow((event) => {
        if (event.kind === 'process' && event.pid === pid) take(event.event);
      });
      signal.addEventListener('abort', stop);
      const detail = await readDetail(pid, signal);
      take = (event) => detail.addLive(event);
      early.forEach(take);
      return detail;
    },
    [pid, state, store],
  );
}

async function readDetail(pid: number, signal: AbortSignal): Promise<ProcessDetail> {
  let detail: ProcessDetail | undefined;
  for await (const events of await getLines<ProcessEvent>(`processes/${pid}/events`, signal)) {
    for (const event of events) {
      if (event.type === 'created') detail = new ProcessDetail(event);
      else detail?.add(event);
    }
  }
  // Without its beginning the rest of a record cannot be read.
  if (!detail) throw new ApiError(`There is no record of process ${pid}.`, 404, 'see: drivebay doctor');
  return detail;
}
