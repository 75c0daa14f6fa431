import { KEPT_WORDS, summarizeKept } from '../../../record/kept-summary';
import type { KeptReport } from '../../../record/live-event';
import { formatCount, formatMemory } from '../format';
import { Elapsed } from './times';

/** What the driver keeps for further calls: how many of each kind, since when, and the memory of their programs. */
export function Kept({ kept }: { kept: readonly KeptReport[] }) {
  const { states, programs, memoryBytes } = summarizeKept(kept);
  if (states.length === 0) return null;
  return (
    <div class="why-text kept">
      <span>Kept:</span>
      {states.map(({ state, count, since }) => (
        <span key={state}>
          {formatCount(count)} {KEPT_WORDS[state]},{' '}
          <span class="muted">
            {count > 1 && 'the oldest '}for <Elapsed from={since} />
          </span>
        </span>
      ))}
      {memoryBytes !== null && (
        <span class="muted">
          {formatCount(programs)} {programs === 1 ? 'program' : 'programs'}, {formatMemory(memoryBytes)}
        </span>
      )}
    </div>
  );
}
