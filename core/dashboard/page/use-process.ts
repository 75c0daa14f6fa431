import type { ProcessEvent } from '../../record/process-event';
import type { ProcessAnswer } from '../protocol';
import { getJson } from './api';
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
      const { view, events } = await getJson<ProcessAnswer>(`processes/${pid}`, signal);
      const detail = new ProcessDetail(view, events);
      take = (event) => detail.add(event);
      early.forEach(take);
      return detail;
    },
    [pid, state, store],
  );
}
