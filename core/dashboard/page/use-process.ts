import { useEffect, useRef, useState } from 'preact/hooks';
import type { LiveEvent } from '../../record/live-event';
import type { ProcessEvent } from '../../record/process-event';
import type { ProcessAnswer } from '../protocol';
import { type ApiError, getJson } from './api';
import { ProcessDetail } from './process-detail';
import { useStore } from './use-store';

/** Loads the record of a process and continues it with live events. Keeps the events that arrive during the load. */
export function useProcess(pid: number): { detail?: ProcessDetail; error?: ApiError } {
  const store = useStore();
  const [answer, setAnswer] = useState<{ detail?: ProcessDetail; error?: ApiError }>({});
  const current = useRef<ProcessDetail | undefined>(undefined);
  // A new state means that events may be missing, so the process loads again.
  const { state } = store;

  useEffect(() => {
    const early: ProcessEvent[] = [];
    current.current = undefined;
    const stop = store.follow((event: LiveEvent) => {
      if (event.kind !== 'process' || event.pid !== pid) return;
      if (current.current) current.current.add(event.event);
      else early.push(event.event);
    });
    const aborting = new AbortController();
    getJson<ProcessAnswer>(`processes/${pid}`, aborting.signal)
      .then(({ view, events }) => {
        const detail = new ProcessDetail(view, events);
        for (const event of early) detail.add(event);
        current.current = detail;
        setAnswer({ detail });
      })
      .catch((error: unknown) => {
        if (!aborting.signal.aborted) setAnswer({ error: error as ApiError });
      });
    return () => {
      stop();
      aborting.abort();
    };
  }, [pid, state, store]);

  return answer;
}
