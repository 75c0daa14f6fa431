import type { ProcessState } from '../../../record/process-view';

/** The kind of a state. Each has its own shape, because colours alone are not accessible. */
export type Tone = 'ok' | 'bad' | 'busy' | 'wait' | 'none' | 'stop';

const TONES: Record<Tone, [colour: string, shape: preact.JSX.Element]> = {
  ok: ['ok', <path d="M3 8.5l3.2 3.2L13 5" />],
  bad: ['bad', <path d="M4 4l8 8M12 4l-8 8" />],
  busy: ['accent', <path d="M8 2.5a5.5 5.5 0 1 1-5.5 5.5" />],
  wait: ['muted', <path d="M8 4.5V8l2.5 1.5M8 2a6 6 0 1 0 0 12A6 6 0 0 0 8 2z" />],
  none: ['muted', <circle cx="8" cy="8" r="4.5" stroke-dasharray="2.2 2.6" />],
  stop: ['muted', <path d="M4 4h8v8H4z" />],
};

export function Mark({ tone, children }: { tone: Tone; children: string }) {
  const [colour, shape] = TONES[tone];
  return (
    <span class={`mark mark-${tone} ${colour}`}>
      <svg viewBox="0 0 16 16" aria-hidden="true">
        {shape}
      </svg>
      {children}
    </span>
  );
}

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
