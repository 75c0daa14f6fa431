import { type CliStep, FakeCli, HANG } from 'drivebay/testing';
import { HELP } from '../plugins/alpha-cli/help';
import { delta as cliDelta, init, messageStart, result, said } from '../plugins/alpha-cli/lines';
import { stream, textBlock } from '../plugins/eta/wire';
import { type Answer, delta, DONE, finish, json, sse, Upstream, usageChunk } from '../setup/upstream';
import { DashboardHome } from './dashboard-home';

let home: DashboardHome;
let upstream: Upstream;
let vendor: Upstream;
let cli: FakeCli;
/** What the server says to chats; everything else is its list of models. */
let reply: Answer;

/** What the program does, besides telling its options. */
const program = (...steps: CliStep[]) => cli.script(({ argv }) => (argv.includes('--help') ? [HELP] : steps));

beforeAll(async () => {
  [upstream, vendor, cli] = await Promise.all([Upstream.start(), Upstream.start(), FakeCli.start({ name: 'claude' })]);
  upstream.answer(({ body }) => (body?.stream ? reply : json({ data: [] })));
  program(init(), said('Hello'), result('Hello'));
  home = new DashboardHome({ VENDOR_KEY: 'sk-of-the-vendor' });
  home.configure(`version: "1"
default_provider: local
providers:
  - { name: local, driver: chat-compat, base_url: "${upstream.url}/v1", default_model: up-model, cost_per_token: 0.001 }
  - { name: vendor, driver: eta, base_url: "${vendor.url}", default_model: v-1, api_key_env: VENDOR_KEY }
  - { name: code, driver: alpha-cli, command: "${cli.command}", default_model: opus, grace_sec: 1 }
  - { name: gone, driver: chat-compat, base_url: "http://127.0.0.1:1/v1", default_model: none }
`);
  await home.start();
});
afterAll(async () => {
  await home.end();
  await Promise.all([upstream.close(), vendor.close(), cli.close()]);
});

test('an answer is seen as it streams, and the process as it ends', async () => {
  let goOn!: () => void;
  const held = new Promise<void>((resolve) => (goOn = resolve));
  reply = sse([delta('Once upon '), held, delta('a time.'), finish(), usageChunk(120, 30), DONE]);
  const { page, errors } = await home.openDashboard();
  const pid = await home.spawn('Tell a story', { provider: 'local', effort: 'high' });
  await page.getByRole('link', { name: 'Tell a story' }).click();

  const answer = page.getByRole('region', { name: 'Answer' });
  await answer.getByText('Once upon').waitFor();
  expect(await page.getByRole('heading', { level: 1 }).innerText()).toBe(`Processes / ${pid}`);
  expect(await page.getByRole('region', { name: 'Intent' }).innerText()).toContain('Tell a story');
  await page.getByRole('button', { name: 'Kill', exact: true }).waitFor();

  goOn();
  await answer.getByText('Once upon a time.').waitFor();
  await page.locator('main .mark', { hasText: 'done' }).waitFor();
  await page.getByRole('button', { name: 'Kill', exact: true }).waitFor({ state: 'detached' });
  const facts = await page.getByRole('region', { name: 'Facts' }).innerText();
  expect(facts.replace(/\s+/g, ' ')).toMatch(
    /Provider local .* Model up-model .* Effort high .* in 120 .* out 30 Cost \$0\.1500/,
  );

  await page.getByRole('link', { name: 'Overview' }).click();
  const row = page.getByRole('table', { name: 'Processes' }).getByRole('row').filter({ hasText: 'Tell a story' });
  expect((await row.innerText()).split('\n')).toEqual(
    expect.arrayContaining([String(pid), 'done', 'local:up-model', 'high', '120', '30', '$0.1500']),
  );
  expect(errors).toEqual([]);
});

test('a step shows its tokens and how much of the input came from the cache', async () => {
  vendor.answer(stream(textBlock(0, 'Cached.')));
  const pid = await home.spawn('Use the cache', { provider: 'vendor' });
  await home.ended(pid);
  const { page } = await home.openDashboard(`#/processes/${pid}`);
  const step = page.getByRole('table', { name: 'Steps' }).getByRole('row').nth(1);
  await step.getByText('95%').waitFor();
  // 5 read anew, 100 from the cache, 20 written to it: 100 of 105.
  expect((await step.innerText()).split('\n')).toEqual(
    expect.arrayContaining(['vendor:v-1', '125', '100', '7', '95%', 'stop']),
  );
  expect(await page.getByRole('region', { name: 'Driver metadata' }).count()).toBe(0);
});

test('what a program’s driver says of itself is beside its process, and in its trace', async () => {
  const pid = await home.spawn('Work', { provider: 'code' });
  await home.ended(pid);
  const { page } = await home.openDashboard(`#/processes/${pid}`);
  const metadata = await page.getByRole('region', { name: 'Driver metadata' }).innerText();
  const pairs = metadata.split('\n').filter(Boolean).slice(1);
  expect(
    Object.fromEntries(pairs.flatMap((name, index) => (index % 2 === 0 ? [[name, pairs[index + 1]]] : []))),
  ).toMatchObject({
    resolved_bin: cli.command,
    permission_mode: 'bypassPermissions',
    cap_partial_messages: 'true',
    cap_add_dir: 'true',
    cap_permission_mode: 'true',
  });
  const trace = page.getByRole('table', { name: 'Trace' });
  await trace.getByText('alpha_cli.resolve').click();
  expect(JSON.parse(await page.getByLabel('The whole event').innerText())).toMatchObject({
    type: 'driver',
    fields: { resolved_bin: cli.command },
  });
  await trace.getByText('alpha_cli.capabilities').waitFor();
});

test('a process is killed after a question, with the program it runs', async () => {
  program(init(), messageStart(), cliDelta('Thinking'), HANG);
  const pid = await home.spawn('Never end', { provider: 'code' });
  const { page } = await home.openDashboard(`#/processes/${pid}`);
  await page.getByRole('region', { name: 'Answer' }).getByText('Thinking').waitFor();

  await page.getByRole('button', { name: 'Kill', exact: true }).click();
  await page.getByRole('button', { name: 'Let it run' }).click();
  await page.getByRole('button', { name: 'Kill', exact: true }).click();
  await page.keyboard.press('Escape');
  expect(cli.processes().length).toBeGreaterThan(0);

  await page.getByRole('button', { name: 'Kill', exact: true }).click();
  await page.getByRole('button', { name: 'Kill it' }).click();
  await page.locator('main .mark', { hasText: 'killed' }).waitFor();
  await cli.until(() => cli.processes().length === 0);
  expect(await page.getByRole('button', { name: 'Kill', exact: true }).count()).toBe(0);
});

test('a fallback says from where, to where, and why', async () => {
  reply = sse([delta('Rescued.'), finish(), DONE]);
  home.write('agent.yaml', 'models: { provider: gone, fallback: local }\n');
  const pid = await home.spawn('Try twice', { agentFile: `${home.directory}/agent.yaml` });
  await home.ended(pid);
  const { page } = await home.openDashboard(`#/processes/${pid}`);
  await page.getByText('Fallback: gone → local').waitFor();
  expect(await page.locator('.note').innerText()).toMatch(/127\.0\.0\.1:1/);
  await page.getByRole('region', { name: 'Answer' }).getByText('Rescued.').waitFor();
  const facts = (await page.getByRole('region', { name: 'Facts' }).innerText()).replace(/\s+/g, ' ');
  expect(facts).toMatch(/Provider local in place of gone Driver openai-compatible http Model up-model/);
});

test('a process that does not exist is told so, with a way on', async () => {
  const { page } = await home.openDashboard('#/processes/99999');
  expect(await page.getByRole('alert').innerText()).toMatch(/no process 99999[^]*drivebay ps -a/);
});
