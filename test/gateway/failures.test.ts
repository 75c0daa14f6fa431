import type { RunningGateway } from '../setup/running-gateway';
import { TempHome } from '../setup/temp-home';
import { logged, logLines, type Step, startScripted, stop, text } from './scripted-driver';
import { errorOf, events } from './wire';

const home = new TempHome();
let gateway: RunningGateway;

beforeAll(async () => {
  gateway = await startScripted(home);
});

afterAll(async () => {
  await gateway.stop();
  home.remove();
});

interface Expected {
  status: number;
  code: string;
  retry?: boolean;
}

const TABLE: [string, Expected][] = [
  ['auth', { status: 502, code: 'upstream_error', retry: false }],
  ['unreachable', { status: 502, code: 'upstream_error' }],
  ['timeout', { status: 504, code: 'timeout' }],
  ['upstream', { status: 502, code: 'upstream_error' }],
  ['rejected', { status: 502, code: 'upstream_error', retry: false }],
  ['rate_limited', { status: 502, code: 'upstream_error' }],
  ['invalid_request', { status: 400, code: 'invalid_request', retry: false }],
  ['not_installed', { status: 502, code: 'upstream_error', retry: false }],
  ['protocol', { status: 502, code: 'upstream_error' }],
  ['canceled', { status: 502, code: 'upstream_error', retry: false }],
];

const fail = (code: string, details: Record<string, unknown> = {}): Step[] => [{ fail: [code, 'it broke', details] }];

describe.each(TABLE)('a driver error %s', (code, expected) => {
  test.each([false, true])(`is a ${expected.status} ${expected.code}, streamed: %s`, async (stream) => {
    const response = await gateway.chat({ model: 'main', stream, script: fail(code) });
    expect(response.status).toBe(expected.status);
    expect(response.headers.get('x-should-retry')).toBe(expected.retry === false ? 'false' : null);
    expect(response.headers.get('retry-after')).toBeNull();
    expect(response.headers.get('x-drivebay-provider')).toBe('main');
    const error = errorOf(await response.text());
    expect(error).toMatchObject({ code: expected.code, param: null, details: { kind: code, provider: 'main' } });
    expect(error.message).toContain('it broke');
  });

  test('inside a stream is an event with the same code and kind', async () => {
    const response = await gateway.chat({ model: 'main', stream: true, script: [text('x'), ...fail(code)] });
    const received = await response.text();
    expect(events(received).at(-1)?.error).toMatchObject({ code: expected.code, details: { kind: code } });
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
  const bug = { status: 502, kind: 'driver_bug', message: /driver "scripted" failed: / };
  const cases: [string, unknown, { status: number; kind: string; message: RegExp }][] = [
    ['throws a plain Error', [{ raise: 'oops' }], { ...bug, message: /failed: oops/ }],
    ['throws before its first step', 'throws', { ...bug, message: /thrown before the first step/ }],
    ['returns nothing', 'nothing', bug],
    ['yields null', [{ raw: null }], bug],
    ['yields a number', [{ raw: 5 }], bug],
    ['yields a text that is none', [{ raw: { type: 'text', text: { a: 1 } } }], bug],
    ['yields a text without text', [{ raw: { type: 'text' } }], bug],
    ['yields a choice nobody asked for', [{ raw: { type: 'text', text: 'x', choice: 4e9 } }], bug],
    ['yields a wild tool call index', [{ raw: { type: 'tool_call', index: 4e9, name: 'f' } }], bug],
    ['yields a negative index', [{ raw: { type: 'tool_call', index: -1, name: 'f' } }], bug],
    ['yields arguments that are no text', [{ raw: { type: 'tool_call', index: 0, arguments: {} } }], bug],
    ['yields a usage of words', [{ raw: { type: 'usage', inputTokens: 'many' } }], bug],
    ['yields a finish reason nobody knows', [text('x'), { raw: { type: 'finish', reason: 'error' } }], bug],
    ['yields extra fields that are none', [{ raw: { type: 'extra', delta: 'x' } }], bug],
    ['ends without a finish', [text('x')], { status: 502, kind: 'truncated', message: /cut short/ }],
    ['ends without anything', [], { status: 502, kind: 'truncated', message: /cut short/ }],
  ];

  test.each(cases)(
    '%s is reported by name, and nobody else suffers',
    async (_name, script, { status, kind, message }) => {
      const response = await gateway.chat({ model: 'main', script });
      expect(response.status).toBe(status);
      const error = errorOf(await response.text());
      expect(error).toMatchObject({ code: 'upstream_error', details: { kind } });
      expect(error.message).toMatch(message);
      expect((await gateway.chat({ model: 'main' })).status).toBe(200);
    },
  );

  test('yields events of the future is understood as far as possible', async () => {
    const script = [{ raw: { type: 'telepathy', thought: 1 } }, text('Hello'), stop];
    const response = await gateway.chat({ model: 'main', script });
    expect(await response.json()).toMatchObject({ choices: [{ message: { content: 'Hello' } }] });
  });

  test('goes on after its finish has answered all the same, and what comes late is dropped', async () => {
    const script = [text('Hello'), stop, text('too late'), { hang: true }];
    const response = await gateway.chat({ model: 'main', stream: true, script });
    const received = await response.text();
    expect(received).toContain('"finish_reason":"stop"');
    expect(received).not.toContain('too late');
  });

  test('says finish twice for one choice of two has not answered', async () => {
    const script = [text('a'), stop, stop];
    const response = await gateway.chat({ model: 'main', n: 2, script });
    expect(errorOf(await response.text())).toMatchObject({ details: { kind: 'truncated' } });
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

  test.each([false, true])('is not started again by the same request, streamed: %s', async (stream) => {
    const { send, runs } = request(fail('upstream', { sideEffects: true, kind: 'crash' }), { stream });
    const first = await send();
    expect(first.headers.get('x-drivebay-replayed')).toBeNull();
    const second = await send();
    expect(second.status).toBe(502);
    expect(second.headers.get('x-drivebay-replayed')).toBe('true');
    expect(second.headers.get('x-should-retry')).toBe('false');
    expect(await second.text()).toBe(await first.text());
    expect(await runs(second)).toBe(1);
  });

  test('is replayed when the answer had begun, too', async () => {
    const { send, runs } = request([text('Hel'), ...fail('timeout', { sideEffects: true })], { stream: true });
    await (await send()).text();
    const second = await send();
    expect(second.status).toBe(504);
    expect(second.headers.get('x-drivebay-replayed')).toBe('true');
    expect(await runs(second)).toBe(1);
  });

  test('is started again by any other request', async () => {
    const { send } = request(fail('upstream', { sideEffects: true }));
    await send();
    const other = await gateway.chat({ model: 'agent', messages: [{ role: 'user', content: 'Another' }] });
    expect(other.status).toBe(200);
  });

  test('that never began is started again', async () => {
    const { send, runs } = request(fail('not_installed'));
    await send();
    const second = await send();
    expect(second.headers.get('x-drivebay-replayed')).toBeNull();
    expect(await runs(second)).toBe(2);
  });

  test('that the user stopped is started again', async () => {
    const { send, runs } = request([text('x'), { hang: true }], { stream: true });
    let last: Response | undefined;
    for (const n of [1, 2]) {
      const abort = new AbortController();
      last = await send({ signal: abort.signal });
      expect(last.status).toBe(200);
      abort.abort();
      const ended = () => logLines(gateway).filter(({ reason }) => reason === 'client_gone').length >= n;
      await gateway.untilOutput({ test: ended });
    }
    expect(await runs(last!)).toBe(2);
  });
});
