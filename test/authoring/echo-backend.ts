import type { Ability, Backend, RunningBackend, Situation } from 'drivebay/testing';

const NONE = 'the driver has no backend';
const CANNOT: Ability[] = [
  ...([
    'received',
    'hold',
    'bytes',
    'usage',
    'length',
    'empty',
    'reasoning',
    'toolCalls',
    'signatures',
    'embeddings',
  ] as const),
  ...(['auth', 'rejected', 'rate_limited', 'upstream', 'absent', 'garbage', 'cut'] as const),
];

/** The echo driver has no backend: it answers with the question, after a pause where one is set. */
export const echoBackend: Backend = {
  cannot: Object.fromEntries(CANNOT.map((ability) => [ability, NONE])),
  start: () => Promise.resolve(new Echo()),
};

class Echo implements RunningBackend {
  options: Record<string, unknown> = {};

  script(next: Situation | (() => Situation)): Promise<void> {
    const isHanging = typeof next === 'object' && next.type === 'hang';
    this.options = isHanging ? { delay_ms: 60_000 } : {};
    return Promise.resolve();
  }

  received = () => [];
  atWork = () => [];
  open = () => [];
  close = () => Promise.resolve();
}
