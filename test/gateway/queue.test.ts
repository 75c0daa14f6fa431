import type { RunningGateway } from '../setup/running-gateway';
import { logged, logLines, stop, text, useScripted } from './scripted-driver';

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
