import { execFile } from 'node:child_process';
import { promisify } from 'node:util';
import { RunningGateway } from '../setup/running-gateway';
import { type Answer, delta, DONE, finish, json, posts, sse, STALL, Upstream, usageChunk } from '../setup/upstream';
import { DashboardHome } from './dashboard-home';

let home: DashboardHome;
let upstream: Upstream;
let gateway: RunningGateway;
/** What the server says to chats; everything else is its list of models. */
let reply: Answer;

beforeAll(async () => {
  upstream = await Upstream.start();
  upstream.answer(({ body }) => (body?.stream ? reply : json({ data: [{ id: 'm-1' }, { id: 'm-2' }] })));
  home = new DashboardHome({ LOCAL_KEY: 'sk-local-key' });
  home.configure(`version: "1"
providers:
  - { name: gone, driver: chat-compat, base_url: "http://127.0.0.1:1/v1", default_model: none }
  - { name: local, driver: chat-compat, base_url: "${upstream.url}/v1", default_model: m-1, api_key_env: LOCAL_KEY, cost_per_token: 0.001 }
`);
  await home.start();
  gateway = await RunningGateway.start([], { env: home.environment({ LOCAL_KEY: 'sk-local-key' }) });
});
afterAll(async () => {
  await gateway.stop();
  await home.end();
  await upstream.close();
});

test('an answer is seen as it streams, with what it used, and a command that does the same', async () => {
  let goOn!: () => void;
  const held = new Promise<void>((resolve) => (goOn = resolve));
  reply = sse([delta('Once upon '), held, delta('a time.'), finish(), usageChunk(120, 30), DONE]);
  const { page, errors } = await home.openDashboard();
  await page.getByRole('link', { name: 'Try', exact: true }).click();
  await page.getByLabel('Provider').selectOption({ label: 'local' });
  await page.locator('datalist option[value="m-2"]').waitFor({ state: 'attached' });
  await page.getByRole('textbox', { name: 'Question' }).fill("What's new?");
  await page.getByRole('button', { name: 'Ask' }).click();
  const answer = page.getByRole('region', { name: 'Answer' });
  await answer.getByText('Once upon').waitFor();
  expect(await page.getByRole('button', { name: 'Ask' }).isDisabled()).toBe(true);
  goOn();
  await answer.getByText('Once upon a time.').waitFor();
  await answer.getByText('$0.1500').waitFor();
  expect((await answer.innerText()).replace(/\s+/g, ' ')).toMatch(
    /First token \d+ ms Duration .* m?s Tokens in 120 Tokens out 30 Cost \$0\.1500 Model/,
  );

  const command = await page.getByRole('region', { name: 'The same in a terminal' }).locator('code').innerText();
  reply = sse([delta('Again.'), finish(), DONE]);
  const { stdout } = await promisify(execFile)('sh', ['-c', command]);
  expect(stdout).toContain('Again.');
  const [one, other] = posts(upstream)
    .slice(-2)
    .map(({ body }) => body as { model: string; messages: unknown });
  expect([other!.model, other!.messages]).toEqual([one!.model, one!.messages]);
  expect(await page.content()).not.toContain('sk-local-key');
  expect(errors).toEqual([]);
});

test('an answer can be stopped, and a failure says what to do', async () => {
  reply = sse([delta('Begun'), STALL]);
  const { page } = await home.openDashboard('#/try');
  const question = page.getByRole('textbox', { name: 'Question' });
  await page.getByLabel('Provider').selectOption({ label: 'local' });
  await question.fill('Never end');
  await page.getByRole('button', { name: 'Ask' }).click();
  await page.getByRole('region', { name: 'Answer' }).getByText('Begun').waitFor();
  await page.getByRole('button', { name: 'Stop' }).click();
  await page.getByRole('region', { name: 'Answer' }).getByText('stopped').waitFor();

  await page.getByLabel('Provider').selectOption({ index: 0 });
  await page.getByRole('button', { name: 'Ask' }).click();
  await page.getByRole('alert').getByText('127.0.0.1:1 refused the connection').waitFor();
  await page.getByRole('link', { name: 'Requests', exact: true }).click();
  const rows = page.getByRole('table', { name: 'Ended requests' }).getByRole('row');
  await rows.filter({ hasText: 'left' }).filter({ hasText: 'local' }).waitFor();
  await rows.filter({ hasText: 'failed' }).filter({ hasText: 'gone' }).waitFor();
});
