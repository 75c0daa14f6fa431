import type { ProcessState } from '../../../record/process-view';
import { Mark, type Tone } from './mark';

const PROCESS: Record<ProcessState, [Tone, string]> = {
  created: ['wait', 'waiting'],
  running: ['busy', 'running'],
  done: ['ok', 'done'],
  failed: ['bad', 'failed'],
  killed: ['stop', 'killed'],
};

export function ProcessMark({ state }: { state: ProcessState }) {
  const [tone, word] = PROCESS[state];
  return <Mark tone={tone}>{word}</Mark>;
}

const HEALTH = { healthy: 'ok', offline: 'bad', unchecked: 'none' } as const;

export function HealthMark({ state }: { state: keyof typeof HEALTH }) {
  return <Mark tone={HEALTH[state]}>{state}</Mark>;
}
