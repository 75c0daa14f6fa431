import { onAbort } from '../../providers/call-clock';

/**
 * Asks with a signal of its own. The SDK never removes its listener: a signal that lives longer would collect listeners, and would
 * cancel requests that were answered long ago.
 */
export async function asking<T>(signal: AbortSignal, ask: (own: AbortSignal) => Promise<T>): Promise<T> {
  const question = new AbortController();
  const forget = onAbort(signal, () => question.abort(signal.reason));
  try {
    return await ask(question.signal);
  } finally {
    forget();
  }
}
