import { EventEmitter, once } from 'node:events';
import type { RunningGateway } from '../setup/running-gateway';
import { logged, logLines, stop, text, useScripted } from './scripted-driver';
import { errorOf } from './wire';

let gateway: RunningGateway;
useScripted(
  (started) => (gateway = started),
  () => ({
    yaml: `version: "1"
providers:
  - { name: narrow, driver: scripted, default_model: n, max_concurrency: 2 }
  - { name: agent, driver: agent }
  - { name: wide, driver: scripted, default_model: w }
`,
  }),
);

const started = (name: string) => logLines(gateway).filter(({ msg }) => msg === name).length;
const count = (name: string, n: number) => gateway.untilOutput({ test: () => started(name) >= n });

test('two run, sixteen wait, and whoever comes then is turned away with Retry-After', async () => {
  const blocking = [{ say: 'blocking' }, { until: 'go' }, text('x'), stop];
  const blockers = [0, 1].map(() => gateway.chat({ model: 'narrow', script: blocking }));
  await count('blocking', 2);

  // Which two of them come last is not known, only that it is two.
  const refused: Response[] = [];
  const answered: number[] = [];
  const turnedAway = new EventEmitter();
  const all = Array.from({ length: 18 }, async (_, n) => {
    const response = await gateway.chat({
      model: 'narrow',
      stream: n % 2 === 0,
      script: [{ say: 'ran' }, text('x'), stop],
    });
    if (response.status === 429) turnedAway.emit('one', refused.push(response));
    else answered.push(response.status);
  });
  while (refused.length < 2) await once(turnedAway, 'one');
  // Nobody else has to wait.
  expect((await gateway.chat({ model: 'wide' })).status).toBe(200);
  expect(started('ran')).toBe(0);

  await gateway.chat({ model: 'wide', script: [{ open: 'go' }, text('x'), stop] });
  await Promise.all([...blockers, ...all]);
  expect(answered).toEqual(Array(16).fill(200));
  await count('ran', 16);
  expect(refused).toHaveLength(2);
  for (const response of refused) {
    expect(response.headers.get('retry-after')).toBe('1');
    expect(response.headers.get('x-should-retry')).toBeNull();
    expect(errorOf(await response.text())).toMatchObject({ code: 'concurrency_limit', type: 'rate_limit_error' });
  }
  expect(started('ran')).toBe(16);
});

test('four agents run at once where nothing else is said', async () => {
  const script = [{ say: 'agent runs' }, { until: 'agents' }, text('x'), stop];
  const all = Array.from({ length: 6 }, () => gateway.chat({ model: 'agent', script }));
  await count('agent runs', 4);
  await gateway.chat({ model: 'wide' });
  expect(started('agent runs')).toBe(4);
  await gateway.chat({ model: 'wide', script: [{ open: 'agents' }, text('x'), stop] });
  await Promise.all(all);
  await count('agent runs', 6);
});

test('a slot is free again after every kind of failure', async () => {
  for (const step of [{ fail: ['upstream', 'x'] }, { raise: 'x' }, { raw: null }, { fail: ['auth', 'x'] }, stop]) {
    for (let n = 0; n < 3; n += 1) {
      expect((await gateway.chat({ model: 'narrow', script: [step] })).status).toBe(502);
    }
  }
  expect((await gateway.chat({ model: 'narrow' })).status).toBe(200);
});

test('an answer does not wait for the driver to tidy up, but the next turn does', async () => {
  const tidying = [text('x'), stop, { say: 'tidying' }, { until: 'tidy' }];
  for (let n = 0; n < 2; n += 1) expect((await gateway.chat({ model: 'narrow', script: tidying })).status).toBe(200);
  await count('tidying', 2);
  // The slot belongs to the driver's work, so the third waits for it.
  const third = gateway.chat({ model: 'narrow', script: [{ say: 'third' }, text('x'), stop] });
  await gateway.chat({ model: 'wide', script: [{ open: 'tidy' }, text('x'), stop] });
  expect((await third).status).toBe(200);
  await logged(gateway, 'third', {});
});
