import { ProcessDetail } from '../../../core/dashboard/page/process-detail';
import { traceText, wholeEvent } from '../../../core/dashboard/page/trace-text';
import type { ProcessEvent, ProcessEventBody } from '../../../core/record/process-event';

const origin = { pid: 1, uuid: 'u', daemon: 'd', intent: 'i', workingDirectory: '/w' };

function rowsOf(...bodies: ProcessEventBody[]) {
  const events = bodies.map((body, seq) => ({ seq, time: 1_000 + seq, ...body })) as ProcessEvent[];
  const detail = new ProcessDetail({ seq: -1, time: 0, type: 'created', ...origin });
  for (const event of events) detail.add(event);
  return detail.trace.slice(1);
}

const LONG = 'x'.repeat(1_000_000);

test.each<[ProcessEventBody, string]>([
  [{ type: 'created', ...origin }, '/w'],
  [
    { type: 'resolve', provider: 'a', driver: 'd', driverKind: 'cli', model: 'm', decidedBy: { provider: 'built-in' } },
    'a · m · by built-in',
  ],
  [{ type: 'running' }, 'a slot is free'],
  [{ type: 'step', step: 1, provider: 'a', model: 'm', call: 'c-1' }, 'a:m · for the call c-1'],
  [{ type: 'text', step: 1, text: 'Hello' }, '5 characters'],
  [{ type: 'tool_call', step: 1, id: 'c', tool: 't', arguments: '{}', refused: 'no' }, 't refused: no'],
  [{ type: 'tool_result', step: 1, id: 'c', text: 'it', isError: true, ms: 3 }, 'failed · 3 ms · it'],
  [{ type: 'activity', step: 1, tool: 'Read', detail: 'a.ts' }, 'Read · a.ts'],
  [{ type: 'driver', step: 1, event: 'x.resolve', fields: { bin: '/x', more: [1] } }, 'x.resolve bin=/x more=[1]'],
  [{ type: 'log', step: 1, level: 'warn', message: 'slow', fields: { ms: 9 } }, 'warn · slow ms=9'],
  [{ type: 'metadata', provider: 'a', values: { v: '1' } }, 'a · v=1'],
  [{ type: 'retry', step: 1, reason: 'again' }, 'again'],
  [{ type: 'fallback', from: 'a', to: 'b', reason: 'down' }, 'a → b · down'],
  [{ type: 'notice', level: 'info', message: 'ignored' }, 'ignored'],
  [
    {
      type: 'step_end',
      step: 1,
      ms: 20,
      finish: 'stop',
      usage: { inputTokens: 10, outputTokens: 2, cachedInputTokens: 5 },
    },
    'stop · 20 ms · 10 in, 2 out · 50% cached',
  ],
  [{ type: 'exit', state: 'failed', reason: 'error', message: 'broken' }, 'failed · error · broken'],
])('a line of the trace says what happened: %j', (body, text) => {
  expect(rowsOf(body).map(traceText)).toEqual([text]);
});

test('pieces of a text that follow each other are one line, which opens to all of them', () => {
  const piece = (text: string, step = 1): ProcessEventBody => ({ type: 'text', step, text });
  const rows = rowsOf(piece('Once '), piece('upon '), piece('a time.'), piece('Another step.', 2));
  expect(rows.map(traceText)).toEqual(['17 characters in 3 pieces', '13 characters']);
  expect(JSON.parse(wholeEvent(rows[0]!))).toEqual({ seq: 0, time: 1_000, ...piece('Once upon a time.') });
});

test('a line is no longer than a screen is wide, and opens to the whole', () => {
  const [row] = rowsOf({ type: 'tool_result', step: 1, id: 'c', text: LONG, isError: false, ms: 3 });
  expect(traceText(row!).length).toBeLessThanOrEqual(1_000);
  expect(JSON.parse(wholeEvent(row!))).toMatchObject({ text: LONG });
});
