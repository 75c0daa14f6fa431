import { useState } from 'preact/hooks';
import { getJson } from './api';
import { useAnswer } from './use-answer';
import { useStore } from './use-store';

/** The time between two reads while requests end. */
const AGAIN_MS = 5_000;

/** An answer about what was used. Reads it again after a request or a step has ended. */
export function useLedger<Answer>(path: string) {
  const store = useStore();
  const [reads, setReads] = useState(0);
  return useAnswer(
    (signal) => {
      let timer: ReturnType<typeof setTimeout> | undefined;
      const stop = store.follow(({ kind, event }) => {
        const ended =
          (kind === 'request' && event.type !== 'start') || (kind === 'process' && event.type === 'step_end');
        if (ended) timer ??= setTimeout(() => setReads(reads + 1), AGAIN_MS);
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
