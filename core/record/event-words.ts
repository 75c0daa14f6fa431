import type { ProcessEvent } from './process-event';

/** Words for the events of a process, by type. An event without an entry has no words. */
export type EventWords = {
  [Type in ProcessEvent['type']]?: (event: Extract<ProcessEvent, { type: Type }>) => string | undefined;
};

export function wordsFor(words: EventWords, event: ProcessEvent): string | undefined {
  const describe = words[event.type] as ((event: ProcessEvent) => string | undefined) | undefined;
  return describe?.(event);
}
