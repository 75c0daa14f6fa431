import { readFileSync } from 'node:fs';
import { join } from 'node:path';
import { ledgerFile } from '../../../core/record/ledger-files';
import { RunningGateway } from '../../setup/running-gateway';
import { TempHome } from '../../setup/temp-home';
import { logged, startScripted, type Step, text } from '../scripted-driver';
import { errorOf, type Json } from '../wire';

const KEYS = { KEY_A: 'key-of-a-0123456789', KEY_B: 'key-of-b-0123456789', KEY_C: 'key-of-c-0123456789' };
const YAML = `version: "1"
providers:
  - { name: main, driver: scripted, default_model: m, cost_per_token: 1 }
clients:
  - { name: a, api_key_env: KEY_A, budget_usd: { month: 20 } }
  - { name: b, api_key_env: KEY_B, tokens_per_minute: 20 }
  - { name: c, api_key_env: KEY_C, tokens_per_minute: 20 }
`;

const as = (key: keyof typeof KEYS) => ({ headers: { authorization: `Bearer ${KEYS[key]}` } });

/** Reads the first words of a stream, or none, and hangs up. */
async function leave(gateway: RunningGateway, key: keyof typeof KEYS, words: string, ...before: Step[]): Promise<void> {
  const client = new AbortController();
  const say = words === '' ? before : [...before, text(words)];
  const script = [...say, { say: `${key} is asked` }, { hang: true }];
  const asking = gateway.chat(
    { model: 'main', max_tokens: 1, stream: true, script },
    { ...as(key), signal: client.signal },
  );
  asking.catch(() => undefined);
  await logged(gateway, `${key} is asked`, {});
  if (words !== '') await (await asking).body!.getReader().read();
  client.abort();
  await logged(gateway, 'chat', { status: 499, client: key.at(-1)!.toLowerCase() });
}

const refusalOf = async (gateway: RunningGateway, key: keyof typeof KEYS) => {
  const answer = await gateway.chat({ model: 'main', max_tokens: 1 }, as(key));
  return answer.status === 200 ? undefined : errorOf(await answer.text()).code;
};

test('a client that leaves a stream before its usage comes spends its limits all the same, also across a restart', async () => {
  const home = new TempHome();
  let own = await startScripted(home, { yaml: YAML, env: KEYS });
  try {
    for (const key of ['KEY_A', 'KEY_B'] as const) await leave(own, key, 'x'.repeat(40));
    // Before the first words it is not known whether the backend has begun.
    await leave(own, 'KEY_C', '');
    expect(await refusalOf(own, 'KEY_A')).toBe('budget_exceeded');
    expect(await refusalOf(own, 'KEY_B')).toBe('rate_limit_exceeded');
    expect(await refusalOf(own, 'KEY_C')).toBeUndefined();
    await own.stop();
    own = await RunningGateway.start(['--log-format', 'json'], { env: home.environment(KEYS) });
    expect(await refusalOf(own, 'KEY_A')).toBe('budget_exceeded');
  } finally {
    await own.stop();
    home.remove();
  }
});

test('a backend that counts the input first is charged with it, and limits count the words since then as well', async () => {
  const home = new TempHome();
  const own = await startScripted(home, { yaml: YAML, env: KEYS });
  try {
    const usage = { type: 'usage', inputTokens: 3, outputTokens: 1 };
    await leave(own, 'KEY_B', 'x'.repeat(40), usage);
    expect(await refusalOf(own, 'KEY_B')).toBe('rate_limit_exceeded');
    // Before the first words there is no more than that.
    await leave(own, 'KEY_C', '', usage);
    expect(await refusalOf(own, 'KEY_C')).toBeUndefined();
    // Some servers begin with a count of 0.
    await leave(own, 'KEY_A', 'xx', { ...usage, inputTokens: 0 });
    expect(await refusalOf(own, 'KEY_A')).toBeUndefined();
  } finally {
    await own.stop();
  }
  const file = ledgerFile(join(home.directory, '.local/state/drivebay'), Date.now());
  const [b, c, a] = readFileSync(file, 'utf8')
    .split('\n')
    .filter((line) => line.includes('"ok":false'))
    .map((line) => JSON.parse(line) as Json);
  const used = { usage: { inputTokens: 3, outputTokens: 1 }, costUsd: 4 };
  expect(b).toMatchObject({ client: 'b', ...used, guess: { tokens: 24, costUsd: 24 } });
  expect(c).toMatchObject({ client: 'c', ...used });
  expect(c).not.toHaveProperty('guess');
  expect(a).toMatchObject({ client: 'a', costUsd: 1, guess: { tokens: 13 } });
  home.remove();
});
