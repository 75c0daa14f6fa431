import { useEffect, useRef, useState } from 'preact/hooks';
import type { TryLine, TryRequest } from '../protocol';
import { ApiError, postLines } from './api';
import { TextBlocks } from './text-blocks';

/** A question to a provider, and its answer so far. */
export interface Trial {
  request: TryRequest;
  answer: TextBlocks;
  reasoning: TextBlocks;
  isRunning: boolean;
  end?: Extract<TryLine, { type: 'end' }>;
  error?: { message: string; hint?: string };
}

/** Asks one question at a time. A page that leaves the view stops the answer. */
export function useTrial() {
  const [trial, setTrial] = useState<Trial>();
  const running = useRef<AbortController | undefined>(undefined);
  const stop = () => running.current?.abort();
  useEffect(() => stop, []);

  const ask = async (request: TryRequest) => {
    const aborting = new AbortController();
    running.current = aborting;
    const next: Trial = { request, answer: new TextBlocks(), reasoning: new TextBlocks(), isRunning: true };
    const show = () => setTrial({ ...next });
    show();
    try {
      for await (const lines of await postLines<TryLine>('try', request, aborting.signal)) {
        for (const line of lines) take(next, line);
        show();
      }
      if (!next.end && !next.error) next.error = { message: 'The answer broke off.' };
    } catch (error) {
      if (!aborting.signal.aborted) next.error = error instanceof ApiError ? error : { message: String(error) };
    }
    next.isRunning = false;
    show();
  };
  return { trial, ask, stop };
}

function take(trial: Trial, line: TryLine): void {
  switch (line.type) {
    case 'text':
      return trial.answer.append(line.text);
    case 'reasoning':
      return trial.reasoning.append(line.text);
    case 'end':
      trial.end = line;
      return;
    case 'error':
      trial.error = line;
  }
}
