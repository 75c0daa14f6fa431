import type { RunningGateway } from '../setup/running-gateway';
import { logged, type Step, text, useScripted } from './scripted-driver';
import { errorOf, events } from './wire';

let gateway: RunningGateway;
useScripted(
  (started) => (gateway = started),
  () => ({
    yaml: `version: "1"
providers:
  - { name: main, driver: scripted, default_model: m, timeout_sec: 2 }
  - { name: narrow, driver: scripted, default_model: n, timeout_sec: 2, max_concurrency: 1 }
  - { name: agent, driver: agent, timeout_sec: 2 }
`,
  }),
);

/** An answer that has not come before `timeout_sec`. */
async function timed(body: Record<string, unknown>): Promise<{ response: Response; received: string }> {
  const started = performance.now();
  const response = await gateway.chat(body);
  const received = await response.text();
  expect(performance.now() - started).toBeGreaterThan(1_900);
  return { response, received };
}

function expectTimeout(error: unknown, provider: string): void {
  const hint = `to wait longer, raise timeout_sec of provider "${provider}" in providers.yaml`;
  const details = { kind: 'timeout', provider, hint: expect.stringMatching(`${hint}$`) };
  expect(error).toMatchObject({ code: 'timeout', type: 'server_error', details });
}

// All at once: each takes the seconds it is about.
test('every silent answer is a 504 after timeout_sec, streamed or not, whether the driver listens or not', async () => {
  const scripts: Step[][] = [[{ hang: true }], [{ until: 'never', stubborn: true }]];
  const cases = scripts.flatMap((script) => [false, true].map((stream) => ({ script, stream })));
  const results = await Promise.all(cases.map((each) => timed({ model: 'main', ...each })));
  for (const { response, received } of results) {
    expect(response.status).toBe(504);
    expectTimeout(errorOf(received), 'main');
    expect(response.headers.get('x-should-retry')).toBeNull();
  }
  await logged(gateway, 'turn aborted', { provider: 'main', reason: 'timeout' });
});

test('an answer that stops in the middle is ended in the stream, and is a 504 otherwise', async () => {
  const script = [text('Hel'), { hang: true }];
  const [streamed, single] = await Promise.all([
    timed({ model: 'main', stream: true, script }),
    timed({ model: 'main', script }),
  ]);
  expect(streamed.response.status).toBe(200);
  expect(streamed.received).toContain('"content":"Hel"');
  expectTimeout(events(streamed.received).at(-1)?.error, 'main');
  expect(streamed.received.endsWith('data: [DONE]\n\n')).toBe(true);
  expect(single.response.status).toBe(504);
});

test('a timed-out agent is not to be started again, and is not', async () => {
  const body = { model: 'agent', script: [{ say: 'agent at work' }, { hang: true }] };
  const { response, received } = await timed(body);
  expect(response.headers.get('x-should-retry')).toBe('false');
  expectTimeout(errorOf(received), 'agent');
  // It has shown nothing: that is what one does that waits for an answer which nobody gives.
  expect(received).toContain('it may wait for a login or a permission');
  const again = await gateway.chat(body);
  expect([again.status, again.headers.get('x-drivebay-replayed')]).toEqual([504, 'true']);
  expect(gateway.stderr.match(/agent at work/g)).toHaveLength(1);
});

test('the time in the queue counts', async () => {
  const first = timed({ model: 'narrow', script: [{ say: 'in the way' }, { until: 'never', stubborn: true }] });
  await logged(gateway, 'in the way', {});
  const second = await timed({ model: 'narrow', script: [{ say: 'its turn' }, text('x')] });
  expect(second.response.status).toBe(504);
  await first;
  expect(gateway.stderr).not.toContain('its turn');
});
