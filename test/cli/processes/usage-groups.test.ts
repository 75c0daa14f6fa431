import { DaemonHome } from '../../setup/daemon-home';
import { type TempHome, tempHome } from '../../setup/temp-home';

const FORMULA = '=HYPERLINK("http://evil.example";"x")';
const used = { inputTokens: 1000, cachedInputTokens: 250, cacheWriteInputTokens: 5, outputTokens: 50 };
const turn = { provider: 'groq', driver: 'openai-compatible', source: 'gateway', costUsd: 0, ok: true };

/** The second line is of a version without clients and routes, the last of a version that wrote the least. */
const LINES = [
  { ...turn, client: 'editor', route: 'smart', model: 'm-1', project: '/work/a, b', usage: used, costUsd: 0.000001 },
  { ...turn, model: 'm-1', usage: { inputTokens: 10, outputTokens: 2 }, costUsd: 0.5 },
  { ...turn, client: 'editor', model: FORMULA, provider: 'claude', usage: used, nominalUsd: 0.35, ok: false },
  { ...turn, client: 'ci', model: '@SUM(A1)\u001b[31m\n', usage: used },
  { provider: 'groq', ok: true },
];

function book(home: TempHome): void {
  const lines = LINES.map((line) => `${JSON.stringify({ time: Date.UTC(2026, 10, 21, 12), ...line })}\n`);
  home.write('.local/state/drivebay/usage/2026-11.ndjson', lines.join(''));
}

const home = tempHome();
book(home);

async function keys(by: string): Promise<string[]> {
  const { usage } = JSON.parse((await home.run('usage', '--by', by, '--json')).stdout) as {
    usage: { key: string | null; turns: number }[];
  };
  return usage.map(({ key, turns }) => `${key} ${turns}`);
}

test('usage is added up by client, provider, model, project and route, with the entries of older versions', async () => {
  expect(await keys('client')).toEqual(['null 2', 'ci 1', 'editor 2']);
  expect(await keys('provider')).toEqual(['claude 1', 'groq 4']);
  expect(await keys('model')).toEqual(['null 1', '@SUM(A1)\u001b[31m\n 1', `${FORMULA} 1`, 'm-1 2']);
  expect(await keys('project')).toEqual(['null 4', '/work/a, b 1']);
  expect(await keys('route')).toEqual(['null 4', 'smart 1']);
});

test('the table names turns without a client the owner, and has nominal beside real cost', async () => {
  const { stdout } = await home.run('usage', '--by', 'client');
  expect(stdout.replace(/ {2,}/g, ' | ')).toBe(
    [
      'Client | Turns | Failed | Input | Cached | Output | Cost',
      '(owner) | 2 | 0 | 10 | 0 | 2 | $0.50',
      'ci | 1 | 0 | 1,000 | 250 | 50 | -',
      'editor | 2 | 1 | 2,000 | 500 | 100 | $0.000001 + $0.35 nominal',
      'total | 5 | 1 | 3,010 | 750 | 152 | $0.50 + $0.35 nominal\n',
    ].join('\n'),
  );
  expect((await home.run('usage', '--by', 'route')).stdout).toMatch(/^\(no route\) +4 /m);
});

test('CSV has a head, one row per group and no sum, and nothing in it runs as a formula', async () => {
  const head =
    'turns,failed,input_tokens,cached_input_tokens,cache_write_input_tokens,output_tokens,cost_usd,nominal_usd';
  expect(await home.run('usage', '--by', 'client', '--csv')).toEqual({
    code: 0,
    stderr: '',
    stdout: `client,${head}\r\n(owner),2,0,10,0,0,2,0.5,0\r\nci,1,0,1000,250,5,50,0,0\r\neditor,2,1,2000,500,10,100,0.000001,0.35\r\n`,
  });
  const models = (await home.run('usage', '--by', 'model', '--csv')).stdout.split('\r\n');
  expect(models.slice(1).map((row) => row.replace(/(,[\d.]+){8}$/, ''))).toEqual([
    '"(no model)"',
    `"'@SUM(A1) [31m "`,
    `"'=HYPERLINK(""http://evil.example"";""x"")"`,
    'm-1',
    '',
  ]);
  expect((await home.run('usage', '--by', 'project', '--csv')).stdout).toContain('\r\n"/work/a, b",1,');
  const empty = await home.run('usage', '--csv', '--to', '2026-01-01');
  expect(empty).toEqual({ code: 0, stderr: '', stdout: `provider,${head}\r\n` });
});

test('CSV and JSON at once is a mistake of the command line', async () => {
  expect(await home.run('usage', '--csv', '--json')).toMatchObject({
    code: 2,
    stderr: expect.stringContaining("option '--csv' cannot be used with option '--json'") as string,
  });
});

test('a daemon that runs gives the same answers', async () => {
  const other = new DaemonHome();
  book(other);
  await other.start();
  for (const words of [
    ['--by', 'client'],
    ['--by', 'model', '--csv'],
    ['--by', 'route', '--from', '2026-11-22'],
  ]) {
    expect(await other.run('usage', ...words)).toEqual(await home.run('usage', ...words));
  }
});
