import { useEffect, useState } from 'preact/hooks';
import type { ApiError } from './api';

/**
 * An answer of the daemon, or why there is none. Loads again when an input changes, and keeps the last answer until then.
 * The signal fires before the next load, and when the component is gone.
 */
export function useAnswer<Answer>(
  load: (signal: AbortSignal) => Promise<Answer>,
  inputs: readonly unknown[],
): { answer?: Answer; error?: ApiError } {
  const [loaded, setLoaded] = useState<{ answer?: Answer; error?: ApiError }>({});
  useEffect(() => {
    const aborting = new AbortController();
    load(aborting.signal)
      .then((answer) => setLoaded({ answer }))
      .catch((error: unknown) => {
        if (!aborting.signal.aborted) setLoaded({ error: error as ApiError });
      });
    return () => aborting.abort();
  }, inputs);
  return loaded;
}
