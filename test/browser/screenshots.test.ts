import { appendFileSync, readdirSync, readFileSync } from 'node:fs';
import { join } from 'node:path';
import { type CliStep, FakeCli } from 'drivebay/testing';
import { HELP } from '../plugins/alpha-cli/help';
import { answerLines } from '../plugins/alpha-cli/lines';
import { begin, callBlock, end, textBlock } from '../plugins/eta/wire';
import { RunningGateway } from '../setup/running-gateway';
import { repository } from '../setup/repository';
import { type Answer, delta, DONE, finish, json, sse, Upstream, usageChunk } from '../setup/upstream';
import { DashboardHome } from './dashboard-home';

// The pictures of docs/, of real runs: UPDATE_SCREENSHOTS=1 npm run test:browser -- screenshots
const taken = process.env.UPDATE_SCREENSHOTS ? test : test.skip;
const DAY_MS = 24 * 60 * 60 * 1000;

const FINDING = `The test fails because the reader cuts its buffer at a byte, and half a character is lost.

Three things were wrong:

1. The decoder was made anew for every piece.
2. The whole buffer was split at each write: quadratic.
3. The last line was taken only where it ended with a line break.

I changed core/line-splitter.ts, and asked the other model to look at it. `;

let home: DashboardHome;
let upstream: Upstream;
let vendor: Upstream;
let cli: FakeCli;
let gateway: RunningGateway;
let pid: number;

beforeAll(async () => {
  if (!process.env.UPDATE_SCREENSHOTS) return;
  [upstream, vendor, cli] = await Promise.all([Upstream.start(), Upstream.start(), FakeCli.start({ name: 'claude' })]);
  upstream.answer(({ body }) =>
    body?.messages
      ? sse([delta('Looks right'), 120, delta(' to me.'), finish(), usageChunk(1_830, 96, CACHED), DONE])
      : json({ data: [] }),
  );
  vendor.answer(({ body }): Answer => {
    if (!body?.messages) return json({ data: [] });
    const calls = body.messages.filter((message: { role: string }) => message.role === 'assistant').length as number;
    const tool = (body.tools as { name: string }[] | undefined)?.find(({ name }) => name.includes('local'))?.name;
    if (calls > 0 || tool === undefined)
      return sse([begin, ...textBlock(0, 'It is fixed, and the tests pass.'), end()]);
    const blocks = [...textBlock(0, FINDING), ...callBlock(1, `call-${calls}`, tool, '{"prompt":"Is this right?"}')];
    return sse([begin, ...blocks, 400, end('tool_use')]);
  });
  const usage = { inputTokens: 18_432, outputTokens: 911, cachedInputTokens: 16_200 };
  const lines = answerLines({ pieces: ['Done: ', 'five bullet points.'], usage } as never) as CliStep[];
  cli.script(({ argv }) => (argv.includes('--help') ? [HELP] : [300, ...lines]));
  home = new DashboardHome({ ANTHROPIC_API_KEY: 'sk-of-a-test' });
  home.configure(`version: "1"
default_provider: anthropic
providers:
  - { name: claude, driver: claude-code, command: "${cli.command}", default_model: opus, permission_mode: acceptEdits }
  - { name: anthropic, driver: anthropic, base_url: "${vendor.url}", default_model: claude-sonnet-4-5, cost_per_token: 0.000006 }
  - { name: local, driver: openai-compatible, base_url: "${upstream.url}/v1", default_model: llama3.2 }
  - { name: workstation, driver: openai-compatible, base_url: "http://127.0.0.1:9/v1", default_model: qwen3-32b }
`);
  home.write('agent.yaml', 'models: { provider: workstation, fallback: anthropic, reasoning_effort: high }\n');
  await home.start();
  gateway = await RunningGateway.start([], { env: home.environment({ ANTHROPIC_API_KEY: 'sk-of-a-test' }) });
  for (const model of ['local', 'anthropic', 'workstation', 'local', 'claude']) {
    await (await gateway.chat({ model, stream: model !== 'local' })).text();
  }
  await run('Summarize CHANGELOG.md in five bullet points', { provider: 'claude', effort: 'high' });
  await run('Name three uses of a paper clip', { provider: 'local' });
  await run('Translate README.md into French', { provider: 'workstation' });
  pid = await run('Fix the failing test in the parser, and explain what was wrong', {
    agentFile: `${home.directory}/agent.yaml`,
  });
  repeatOnDaysBefore();
}, 120_000);
afterAll(async () => {
  if (!process.env.UPDATE_SCREENSHOTS) return;
  await gateway.stop();
  await home.end();
  await Promise.all([upstream.close(), vendor.close(), cli.close()]);
});

const CACHED = { prompt_tokens_details: { cached_tokens: 1_024 } };

async function run(intent: string, more: Record<string, unknown>): Promise<number> {
  const started = await home.spawn(intent, more);
  await home.ended(started);
  return started;
}

/** A chart over time needs time: the turns of today count for some days before, too. */
function repeatOnDaysBefore(): void {
  const folder = join(home.state, 'usage');
  const [file] = readdirSync(folder);
  const lines = readFileSync(join(folder, file!), 'utf8').trim().split('\n');
  const entries = lines.map((line) => JSON.parse(line) as { time: number });
  for (let day = 1; day < 20; day += 1) {
    for (const entry of entries.slice(day % 5)) {
      const line = `${JSON.stringify({ ...entry, time: entry.time - day * DAY_MS })}\n`;
      for (let times = 0; times < 1 + ((day * 7) % 4); times += 1) appendFileSync(join(folder, file!), line);
    }
  }
}

type Shot = [name: string, place: () => string, size: { width: number; height: number }, scheme: 'light' | 'dark'];

taken.each<Shot>([
  ['dashboard', () => '#/', { width: 1280, height: 1040 }, 'light'],
  ['dashboard-process', () => `#/processes/${pid}`, { width: 1280, height: 1240 }, 'light'],
  ['dashboard-usage', () => '#/usage', { width: 1280, height: 620 }, 'dark'],
  ['dashboard-narrow', () => '#/', { width: 360, height: 780 }, 'light'],
])('%s', async (name, place, viewport, colorScheme) => {
  const { page, errors } = await home.openDashboard(place(), { viewport, colorScheme });
  await page.locator('main .panel').first().waitFor();
  if (place() === '#/usage') await page.locator('.chart').waitFor();
  await page.screenshot({ path: join(repository, 'docs/images', `${name}.png`), animations: 'disabled' });
  expect(errors).toEqual([]);
});
