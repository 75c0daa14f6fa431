import type { RunningGateway } from '../setup/running-gateway';
import { logged, logLines, type Step, useScripted, stop, text } from './scripted-driver';
import { errorOf, events } from './wire';

let gateway: RunningGateway;
useScripted((started) => (gateway = started));

const TABLE: [code: string, status: number, answer: string, retry?: false][] = [
  ['auth', 502, 'upstream_error', false],
  ['unreachable', 502, 'upstream_error'],
  ['timeout', 504, 'timeout'],
  ['upstream', 502, 'upstream_error'],
  ['rejected', 502, 'upstream_error', false],
  ['rate_limited', 502, 'upstream_error'],
  ['invalid_request', 400, 'invalid_request', false],
  ['not_installed', 502, 'upstream_error', false],
  ['protocol', 502, 'upstream_error'],
  ['canceled', 502, 'upstream_error', false],
];

const fail = (code: string, details: Record<string, unknown> = {}): Step[] => [{ fail: [code, 'it broke', details] }];

describe.each(TABLE)('a driver error %s', (code, status, answer, retry) => {
  test.each([false, true])(`is a ${status} ${answer}, streamed: %s`, async (stream) => {
    const response = await gateway.chat({ model: 'main', stream, script: fail(code) });
    expect(response.status).toBe(status);
    expect(response.headers.get('x-should-retry')).toBe(retry === false ? 'false' : null);
    expect(response.headers.get('retry-after')).toBeNull();
    expect(response.headers.get('x-drivebay-provider')).toBe('main');
    const error = errorOf(await response.text());
    expect(error).toMatchObject({ code: answer, param: null, details: { kind: code, provider: 'main' } });
    expect(error.message).toContain('it broke');
  });

  test('inside a stream is an event with the same code and kind', async () => {
    const response = await gateway.chat({ model: 'main', stream: true, script: [text('x'), ...fail(code)] });
    const received = await response.text();
    expect(events(received).at(-1)?.error).toMatchObject({ code: answer, details: { kind: code } });
    expect(received.endsWith('data: [DONE]\n\n')).toBe(true);
  });

  test('of an agent CLI tells the client not to repeat it', async () => {
    const response = await gateway.chat({ model: 'agent', script: fail(code) });
    expect(response.headers.get('x-should-retry')).toBe('false');
  });
});

test('the details of an error are passed on', async () => {
  const details = { kind: 'usage_limit', status: 429, retryAfterS: 6.2, hint: 'wait', param: 'model' };
  const response = await gateway.chat({ model: 'main', script: fail('rate_limited', details) });
  expect(response.headers.get('retry-after')).toBe('7');
  expect(errorOf(await response.text())).toMatchObject({
    param: 'model',
    details: { kind: 'usage_limit', provider: 'main', upstream_status: 429, retry_after_s: 7, hint: 'wait' },
  });
});

test('an error after which an agent may have acted is not to be repeated, whatever the driver is', async () => {
  const script = fail('upstream', { sideEffects: true, kind: 'acted' });
  const response = await gateway.chat({ model: 'main', script });
  expect(response.headers.get('x-should-retry')).toBe('false');
});

describe('a driver that', () => {
  test.each<[string, unknown, { kind: string; message: RegExp }]>([
    ['throws before its first step', 'throws', { kind: 'driver_bug', message: /"scripted" failed: thrown before/ }],
    ['ends without a finish', [text('x')], { kind: 'truncated', message: /cut short/ }],
  ])('%s is reported by name, and the next call succeeds', async (_name, script, { kind, message }) => {
    const response = await gateway.chat({ model: 'main', script });
    expect(response.status).toBe(502);
    const error = errorOf(await response.text());
    expect(error).toMatchObject({ code: 'upstream_error', details: { kind } });
    expect(error.message).toMatch(message);
    expect((await gateway.chat({ model: 'main' })).status).toBe(200);
  });
});

test('a log line of a plug-in cannot forge another', async () => {
  const script = [{ say: 'a\n{"level":"info","msg":"forged"}' }, text('x'), stop];
  await gateway.chat({ model: 'main', script });
  await gateway.untilOutput(/forged/);
  expect(logLines(gateway).filter(({ msg }) => msg === 'forged')).toEqual([]);
});

describe('a failed run of an agent CLI', () => {
  let unique = 0;
  /** A body of its own, and the function that sends it, again and again the same. */
  function request(steps: Step[], fields: Record<string, unknown> = {}) {
    const body = { model: 'agent', script: [{ say: `run ${(unique += 1)} begins` }, ...steps], ...fields };
    const begun = new RegExp(`run ${unique} begins`, 'g');
    const send = (init = {}) => gateway.chat(body, init);
    /** How often it ran, up to the answer given: its line in the log comes last. */
    const runs = async (last: Response) => {
      await logged(gateway, 'chat', { id: last.headers.get('x-request-id') });
      return gateway.stderr.match(begun)?.length ?? 0;
    };
    return { send, runs };
  }

  test.each([
    ['before its answer', false, []],
    ['in the middle of a stream', true, [text('Hel')]],
  ])('%s is not started again by the same request', async (_, stream, before) => {
    const { send, runs } = request([...before, ...fail('upstream', { sideEffects: true, kind: 'crash' })], { stream });
    const first = await send();
    expect(first.headers.get('x-drivebay-replayed')).toBeNull();
    await first.text();
    const second = await send();
    expect(second.status).toBe(502);
    expect(second.headers.get('x-drivebay-replayed')).toBe('true');
    expect(second.headers.get('x-should-retry')).toBe('false');
    expect(errorOf(await second.text())).toMatchObject({ message: expect.stringContaining('it broke') });
    expect(await runs(second)).toBe(1);
  });
});
