import type { RunningGateway } from '../../setup/running-gateway';
import { logged, stop, text, useScripted } from '../scripted-driver';
import { errorOf, type Json } from '../wire';

const YAML = `version: "1"
providers:
  - { name: main, driver: scripted, default_model: m }
  - { name: one, driver: scripted, default_model: m, max_concurrency: 1 }
  - { name: spent, driver: scripted, default_model: m, cost_per_token: 1, budget_usd: { day: 2 } }
routes:
  - { name: narrow, targets: [one] }
  - { name: poor, targets: [spent] }
clients:
  - { name: all, api_key_env: ALL_KEY }
  - { name: routes, api_key_env: ROUTES_KEY, allow: [narrow, poor] }
`;
const KEYS = { ALL_KEY: 'key-of-all-0123456789', ROUTES_KEY: 'key-of-routes-0123456789' };

let gateway: RunningGateway;
useScripted(
  (started) => (gateway = started),
  () => ({ yaml: YAML, env: KEYS }),
);

const ask = (name: 'ALL' | 'ROUTES', model: string, fields: Json = {}) =>
  gateway.chat({ model, ...fields }, { headers: { authorization: `Bearer ${KEYS[`${name}_KEY`]}` } });

test('a client with a list is not told the queue of a target', async () => {
  const first = ask('ROUTES', 'narrow', { script: [{ say: 'one runs' }, { until: 'one' }, text('x'), stop] });
  await logged(gateway, 'one runs', {});
  const others = Array.from({ length: 17 }, () => ask('ROUTES', 'narrow'));
  const refused = await Promise.race(others);
  expect([refused.status, refused.headers.get('retry-after')]).toEqual([429, '1']);
  expect(errorOf(await refused.text())).toMatchObject({
    code: 'concurrency_limit',
    message: 'route "narrow": no target has answered (concurrency_limit)',
  });
  await ask('ALL', 'main', { script: [{ open: 'one' }, text('x'), stop] });
  await Promise.all([first, ...others]);
});

test('no client is told the amount of the budget of a provider', async () => {
  const script = [text('x'), { type: 'usage', inputTokens: 2, outputTokens: 0 }, stop];
  expect((await ask('ALL', 'spent', { script })).status).toBe(200);
  const direct = await (await ask('ALL', 'spent')).text();
  expect(errorOf(direct)).toMatchObject({
    code: 'budget_exceeded',
    message: expect.stringContaining('the budget for this day is spent'),
  });
  const routed = await (await ask('ALL', 'poor')).text();
  const veiled = await (await ask('ROUTES', 'poor')).text();
  expect(errorOf(veiled)).toMatchObject({ code: 'budget_exceeded' });
  expect(veiled).not.toContain('spent');
  for (const told of [direct, routed, veiled]) expect(told).not.toMatch(/USD|providers\.yaml/);
});
