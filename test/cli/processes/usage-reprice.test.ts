import { readFileSync } from 'node:fs';
import { DaemonHome } from '../../setup/daemon-home';
import { type TempHome, tempHome } from '../../setup/temp-home';

const MONTH = '.local/state/drivebay/usage/2026-11.ndjson';
const usage = { inputTokens: 1_000_000, cachedInputTokens: 400_000, outputTokens: 100_000 };
const turn = { time: Date.UTC(2026, 10, 21, 12), provider: 'groq', driver: 'openai-compatible', source: 'gateway' };
const groq = { ...turn, model: 'm', usage, costUsd: 9, priced: 'token', ok: true };

const prices = (input: number, cached_input: number, output: number) =>
  'version: "1"\nproviders:\n  - name: groq\n    driver: openai-compatible\n    base_url: http://127.0.0.1:9/v1\n' +
  `    models: { m: { usd_per_mtok: { input: ${input}, cached_input: ${cached_input}, output: ${output} } } }\n`;

function booked(home: TempHome, ...turns: object[]): string {
  home.configure(prices(1, 0.5, 4));
  return home.write(MONTH, turns.map((line) => `${JSON.stringify(line)}\n`).join(''));
}

async function costs(home: TempHome) {
  const { stdout, stderr } = await home.run('usage', '--by', 'model', '--json');
  const { usage: sums } = JSON.parse(stdout) as {
    usage: { key: string | null; costUsd: number; nominalUsd: number }[];
  };
  return { stderr, costs: sums.map(({ key, costUsd, nominalUsd }) => `${key} ${costUsd} ${nominalUsd}`) };
}

test('the past is shown by the prices of now, with what has none, and nothing is written', async () => {
  const home = tempHome();
  const file = booked(home, groq, { ...groq, model: 'other', costUsd: 2 });
  const before = readFileSync(file);
  const shown = await home.run('usage', '--reprice');
  expect(shown.stdout.replace(/ {2,}/g, ' | ')).toBe(
    'Provider | Model | Turns | Changed | Before | After\ngroq | m | 1 | 1 | $9.00 | $1.20\n',
  );
  expect(shown.stderr).toBe(
    'note: 1 turn of groq:other stays as it was: no price of it is known\n' +
      'nothing is written yet; to count with these prices, add --write\n',
  );
  expect((await costs(home)).costs).toEqual(['m 9 0', 'other 2 0']);
  expect(readFileSync(file)).toEqual(before);
});

test('a subscription goes on to pay, and a project has its own prices, as far as its configuration can be used', async () => {
  const home = tempHome();
  const file = booked(
    home,
    groq,
    { ...groq, model: 'plan', asked: 'm', costUsd: 0, nominalUsd: 0, priced: undefined },
    { ...groq, model: 'work', asked: 'm', project: `${home.directory}/work` },
    { ...groq, model: 'gone', asked: 'm', project: `${home.directory}/gone` },
    { ...groq, model: 'broken', asked: 'm', project: `${home.directory}/broken` },
  );
  home.write('work/.drivebay/providers.yaml', prices(0.1, 0.1, 0.4));
  home.write('broken/.drivebay/providers.yaml', 'version: "1"\nproviders: 7\n');
  const before = readFileSync(file);
  const { stdout, stderr } = await home.run('usage', '--reprice', '--write', '--json');
  expect(JSON.parse(stdout)).toMatchObject({
    written: true,
    reprice: [
      { provider: 'groq', model: 'm', turns: 1, changed: 1, before: { costUsd: 9 }, after: { costUsd: 1.2 } },
      { model: 'plan', after: { costUsd: 0, nominalUsd: 1.2 } },
      { model: 'work', after: { costUsd: 0.14 } },
    ],
    kept: [
      { model: 'broken', kept: { no_provider: 1 } },
      { model: 'gone', kept: { no_provider: 1 } },
    ],
  });
  expect(stderr).toContain(`the turns of ${home.directory}/broken keep their prices`);
  expect(stderr).toContain('broken/.drivebay/providers.yaml:2');
  expect((await costs(home)).costs).toEqual(['broken 9 0', 'gone 9 0', 'm 1.2 0', 'plan 0 1.2', 'work 0.14 0']);
  expect(readFileSync(file)).toEqual(before);
});

test('a running daemon answers with the new prices at once', async () => {
  const home = new DaemonHome();
  booked(home, groq);
  await home.start();
  expect((await costs(home)).costs).toEqual(['m 9 0']);
  const { stderr } = await home.run('usage', '--reprice', '--write');
  expect(stderr).toContain('run: `drivebay daemon restart`');
  expect(await costs(home)).toEqual({ stderr: '', costs: ['m 1.2 0'] });
});

test('--write alone, and --reprice with another form, are mistakes of the command line', async () => {
  const home = tempHome();
  for (const words of [['--write'], ['--reprice', '--by', 'model']]) {
    expect(await home.run('usage', ...words)).toMatchObject({ code: 2, stdout: '' });
  }
});

test('a price that stands at the wrong place is told, once for all projects', async () => {
  const home = tempHome();
  booked(home, groq, { ...groq, project: `${home.directory}/work` });
  home.write('work/.drivebay/providers.yaml', 'version: "1"\nproviders: []\n');
  const file = home.providers(
    'name: groq, driver: openai-compatible, base_url: "http://h/v1", usd_per_mtok: { input: 1 }',
  );
  const { stdout, stderr } = await home.run('usage', '--reprice', '--write', '--json');
  expect(stderr).toBe(`warning: ${file}:3:71: provider "groq": unknown option usd_per_mtok, ignored\n`);
  expect(JSON.parse(stdout)).toMatchObject({ written: false, reprice: [] });
});
