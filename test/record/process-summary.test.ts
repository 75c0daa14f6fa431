import type { ProcessEvent, ProcessEventBody, ProcessOrigin } from '../../core/record/process-event';
import { applyEvent, openView } from '../../core/record/process-view';
import { applyToSummary, openSummary, summarize } from '../../core/record/process-summary';

const origin: ProcessOrigin = {
  pid: 7,
  uuid: 'u-7',
  daemon: 'd',
  intent: 'long '.repeat(100),
  workingDirectory: '/w',
  project: '/p',
  name: 'n',
};
const USAGE = { inputTokens: 100, outputTokens: 10, cachedInputTokens: 40 };
const resolution = { provider: 'a', driver: 'd-1', driverKind: 'http', decidedBy: { provider: '--provider' } } as const;

/** Everything that a record can hold, with a tool call, a fallback, and steps with and without usage. */
const EVENTS: ProcessEventBody[] = [
  { type: 'created', ...origin },
  { type: 'resolve', ...resolution, model: 'm-1', effort: 'high' },
  { type: 'running' },
  { type: 'step', step: 1, provider: 'a', model: 'm-1' },
  { type: 'reasoning', step: 1, text: 'hm' },
  { type: 'text', step: 1, text: 'I ask' },
  { type: 'tool_call', step: 1, id: 't', tool: 'llm_b', arguments: '{}' },
  { type: 'step_end', step: 1, provider: 'a', ms: 3, finish: 'tool_calls', usage: USAGE, costUsd: 0.5 },
  { type: 'step', step: 2, provider: 'b', model: 'm-2', call: 't' },
  {
    type: 'step_end',
    step: 2,
    provider: 'b',
    ms: 3,
    finish: 'stop',
    usage: { inputTokens: 1, outputTokens: 2, reasoningTokens: 3 },
  },
  { type: 'tool_result', step: 1, id: 't', text: 'b says', isError: false, ms: 4 },
  { type: 'step', step: 3, provider: 'a' },
  { type: 'step_end', step: 3, ms: 3, finish: 'failed' },
  { type: 'fallback', from: 'a', to: 'c', reason: 'down', driver: 'd-2', driverKind: 'cli' },
  { type: 'step', step: 4, provider: 'c' },
  { type: 'driver', step: 4, event: 'x', fields: {} },
  { type: 'metadata', provider: 'c', values: { resolved_bin: '/x' } },
  { type: 'retry', step: 4, reason: 'again' },
  { type: 'notice', level: 'warn', message: 'careful' },
  { type: 'step_end', step: 4, ms: 3, finish: 'stop', costUsd: 0.25 },
  { type: 'exit', state: 'failed', reason: 'error', message: 'm', hint: 'h', code: 'timeout' },
];

test('after each event the row equals the summary of the view', () => {
  const events = EVENTS.map((body, seq) => ({ seq, time: 1_000 + seq, ...body })) as ProcessEvent[];
  const created = events[0] as Extract<ProcessEvent, { type: 'created' }>;
  const view = openView(created);
  let row = openSummary(created);
  for (const event of events) {
    applyEvent(view, event);
    const before = JSON.stringify(row);
    const next = applyToSummary(row, event);
    expect(next).toEqual(summarize(view));
    // The row before is untouched: a view that holds it can compare.
    expect(JSON.stringify(row)).toBe(before);
    row = next;
  }
  expect(row).toMatchObject({
    ...{ pid: 7, intent: origin.intent.slice(0, 200), state: 'failed', startedAt: 1_002, endedAt: 1_020, steps: 4 },
    ...{ provider: 'c', driver: 'd-2', model: undefined, effort: 'high', costUsd: 0.75 },
    usage: { inputTokens: 101, outputTokens: 12, cachedInputTokens: 40, reasoningTokens: 3 },
    end: { state: 'failed', reason: 'error', message: 'm', hint: 'h', code: 'timeout' },
  });
  expect(view).toMatchObject({ driverKind: 'cli', metadata: { resolved_bin: '/x' } });
  expect(view.steps.map(({ finish, hitRate }) => [finish, hitRate])).toEqual([
    ['tool_calls', 0.4],
    ['stop', undefined],
    ['failed', undefined],
    ['stop', undefined],
  ]);
});
