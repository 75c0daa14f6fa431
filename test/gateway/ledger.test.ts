import { readdirSync, readFileSync } from 'node:fs';
import { join } from 'node:path';
import { TempHome } from '../setup/temp-home';
import { PROVIDERS, startScripted, stop, text } from './scripted-driver';

const home = new TempHome();
afterAll(() => home.remove());

function linesOf(): Record<string, unknown>[] {
  const folder = join(home.directory, '.local/state/drivebay/usage');
  return readdirSync(folder).flatMap((file) =>
    readFileSync(join(folder, file), 'utf8')
      .trim()
      .split('\n')
      .map((line) => JSON.parse(line) as Record<string, unknown>),
  );
}

test('every turn of the gateway is in the ledger when it has ended, and nothing else', async () => {
  home.write('project/.drivebay/keep', '');
  const yaml = PROVIDERS.replace('default_model: p-1', 'default_model: p-1, cost_per_token: 0.5');
  const gateway = await startScripted(home, { yaml, cwd: join(home.directory, 'project') });
  const usage = { type: 'usage', inputTokens: 3, outputTokens: 1, cachedInputTokens: 2, extra: { more: 1 } };
  const ask = async (fields: Record<string, unknown>) => (await gateway.chat(fields)).text();
  await ask({ model: 'plain', script: [text('x'), usage, stop] });
  await ask({ model: 'main:big', stream: true, script: [{ type: 'meta', model: 'big-2026' }, text('x'), stop] });
  // The tokens of an answer that broke are paid for.
  await ask({ model: 'plain', stream: true, script: [usage, text('x'), { fail: ['upstream', 'it broke'] }] });
  await ask({ model: 'plain', script: [text('x'), { ...usage, costUsd: 0.125 }, stop] });
  // No driver was asked.
  await ask({ model: 'main', temperature: 'hot' });
  await ask({
    model: 'plain',
    messages: [{ role: 'user', content: [{ type: 'image_url', image_url: { url: 'x' } }] }],
  });
  await gateway.stop();
  const origin = { source: 'gateway', dialect: 'chat-completions', project: join(home.directory, 'project') };
  const common = { time: expect.any(Number), account: expect.stringMatching(/^[0-9a-f]{16}$/), ...origin };
  const tokens = { inputTokens: 3, outputTokens: 1, cachedInputTokens: 2 };
  const plain = { ...common, provider: 'plain', driver: 'plain', model: 'p-1', usage: tokens };
  expect(linesOf()).toEqual([
    { ...plain, costUsd: 2, priced: 'token', ok: true },
    { ...common, provider: 'main', driver: 'scripted', model: 'big-2026', asked: 'big', costUsd: 0, ok: true },
    { ...plain, costUsd: 2, priced: 'token', ok: false },
    { ...plain, costUsd: 0.125, priced: 'backend', ok: true },
  ]);
});
