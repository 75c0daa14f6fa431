import { useState } from 'preact/hooks';
import type { LiveEvent } from '../../record/live-event';
import { getJson } from './api';
import { useAnswer } from './use-answer';
import { useStore } from './use-store';

/** The time between two reads while there is news. */
const AGAIN_MS = 5_000;

/** Whether the ledger has a line more. */
function isEnd({ kind, event }: LiveEvent): boolean {
  return (kind === 'request' && event.type !== 'start') || (kind === 'process' && event.type === 'step_end');
}

/** An answer that changes with what happens, such as what was used. `isNews`: the events after which it is read again. */
export function useLedger<Answer>(path: string, isNews: (event: LiveEvent) => boolean = isEnd) {
  const store = useStore();
  const [reads, setReads] = useState(0);
  return useAnswer(
    (signal) => {
      let timer: ReturnType<typeof setTimeout> | undefined;
      const stop = store.follow((event) => {
        if (isNews(event)) timer ??= setTimeout(() => setReads(reads + 1), AGAIN_MS);
      });
      signal.addEventListener('abort', () => {
        stop();
        clearTimeout(timer);
      });
      return getJson<Answer>(path, signal);
    },
    [path, reads, store],
  );
}
