import { type Answer, delta, DONE, finish, json, sse, Upstream } from '../setup/upstream';
import { installAgents, say, script } from '../agents/scripted-agent';
import { DashboardHome } from './dashboard-home';
import { Proxy } from './proxy';

let home: DashboardHome;
let upstream: Upstream;
let proxy: Proxy;
/** What the server says to chats; everything else is its list of models. */
let reply: Answer;

beforeAll(async () => {
  upstream = await Upstream.start();
  upstream.answer(({ body }) => (body?.stream ? reply : json({ data: [] })));
  home = new DashboardHome();
  installAgents(home);
  home.configure(`version: "1"
default_provider: local
providers:
  - { name: local, driver: chat-compat, base_url: "${upstream.url}/v1", default_model: m }
  - { name: main, driver: talker, default_model: m-1 }
`);
  await home.start();
  proxy = await Proxy.start(Number((await home.link()).port));
});
afterAll(async () => {
  await proxy.cut();
  await home.end();
  await upstream.close();
});

/** What a browser does when another tab is looked at, and when this one is again. */
const HIDE = (hidden: boolean) => `
  Object.defineProperty(document, 'hidden', { value: ${hidden}, configurable: true });
  document.dispatchEvent(new Event('visibilitychange'));
`;

const words = (from: number, to: number) => Array.from({ length: to - from }, (_, index) => `word-${from + index} `);

function gate() {
  let open!: () => void;
  const opened = new Promise<void>((resolve) => (open = resolve));
  return { open, opened };
}

/** An answer whose words come when the test says so. */
function dictate() {
  const gates = [gate(), gate()] as const;
  const say = (from: number, to: number) => words(from, to).map((word) => delta(word));
  reply = sse([...say(0, 20), gates[0].opened, ...say(20, 40), gates[1].opened, ...say(40, 60), finish(), DONE]);
  return gates.map(({ open }) => open) as [() => void, () => void];
}

test('a reload in the middle of an answer loses nothing and repeats nothing', async () => {
  const [second, third] = dictate();
  const pid = await home.spawn('Count');
  const { page } = await home.openDashboard(`#/processes/${pid}`);
  const answer = page.getByRole('region', { name: 'Answer' }).getByRole('log');
  await answer.getByText('word-19').waitFor();
  second();
  await page.reload();
  await answer.getByText('word-39').waitFor();
  third();
  await answer.getByText('word-59').waitFor();
  expect((await answer.innerText()).split(/\s+/).filter(Boolean)).toEqual(words(0, 60).map((word) => word.trim()));
});

test('a lost connection is said, and goes on where it was, with everything that happened meanwhile', async () => {
  const [second, third] = dictate();
  const pid = await home.spawn('Count again');
  const { page } = await home.openDashboard(`#/processes/${pid}`, { origin: proxy.url });
  let loaded = 0;
  page.on('request', (request) => {
    if (request.method() === 'GET' && request.url().endsWith('/api/state')) loaded += 1;
  });
  const answer = page.getByRole('region', { name: 'Answer' }).getByRole('log');
  await answer.getByText('word-19').waitFor();

  await proxy.cut();
  await page.getByRole('status').getByText('connecting').waitFor();
  second();
  const missed = await home.spawn(script([say('Meanwhile.')]), { provider: 'main' });
  await home.ended(missed);
  await proxy.open();
  await page.getByRole('status').getByText('live').waitFor();
  third();
  await answer.getByText('word-59').waitFor();
  expect((await answer.innerText()).split(/\s+/).filter(Boolean)).toEqual(words(0, 60).map((word) => word.trim()));

  await page.getByRole('link', { name: 'Overview' }).click();
  const rows = page.getByRole('table', { name: 'Processes' }).getByRole('row');
  expect(await rows.filter({ hasText: 'Meanwhile' }).locator('.mark').innerText()).toBe('done');
  // It was told what it missed: nothing was loaded a second time.
  expect(loaded).toBe(0);
});

test('a daemon that does not answer for long is said, with what to do', async () => {
  const { page } = await home.openDashboard('#/processes', { origin: proxy.url });
  await proxy.cut();
  const note = page.getByRole('alert').filter({ hasText: 'has not answered since' });
  await note.getByText('drivebay dashboard').waitFor();
  await proxy.open();
  await note.waitFor({ state: 'detached' });
});

test('a connection that is silent for long is taken for dead, and made anew', async () => {
  const { page, requests } = await home.openDashboard();
  const streams = () => requests.filter((url) => url.includes('/api/events')).length;
  await page.clock.install();
  await page.reload();
  await page.getByRole('status').getByText('live').waitFor();
  const before = streams();
  const made = page.waitForRequest((request) => request.url().includes('/api/events'));
  await page.clock.fastForward(50_000);
  await page.clock.fastForward(5_000);
  await made;
  expect(streams()).toBe(before + 1);
});

test('a page that is not let in any more asks for nothing by itself', async () => {
  const { page } = await home.openDashboard();
  await page.clock.install();
  let asked = 0;
  await page.route(/\/api\/events/, (route) => {
    asked += 1;
    return route.fulfill({ status: 401, json: { error: { code: 'no_token', message: 'no' } } });
  });
  await page.reload();
  await page.getByRole('heading', { name: 'This browser has no access any more' }).waitFor();
  await page.clock.fastForward(50_000);
  await page.clock.fastForward(5_000);
  // It would have come before this one.
  await page.evaluate(`fetch('api/limits')`);
  expect(asked).toBe(1);
});

test('a beat is no event: the page goes on behind the event before it', async () => {
  const { page } = await home.openDashboard();
  const asked: string[] = [];
  const again = gate();
  await page.route(/\/api\/events/, (route) => {
    if (asked.push(route.request().url()) === 1) return route.fulfill({ body: '{"kind":"beat"}\n' });
    again.open();
    return route.continue();
  });
  await page.reload();
  await again.opened;
  expect(asked).toEqual([asked[0], asked[0]]);
});

test('a page in the background rests, and has all that happened when it is looked at again', async () => {
  const [second, third] = dictate();
  const pid = await home.spawn('Count in the background');
  const { page, requests } = await home.openDashboard(`#/processes/${pid}`);
  const answer = page.getByRole('region', { name: 'Answer' }).getByRole('log');
  await answer.getByText('word-19').waitFor();
  await page.evaluate(HIDE(true));
  second();
  third();
  await home.ended(pid);
  expect(await answer.innerText()).not.toContain('word-20');
  const streams = () => requests.filter((url) => url.includes('/api/events')).length;
  const before = streams();
  await page.evaluate(HIDE(false));
  await answer.getByText('word-59').waitFor();
  expect((await answer.innerText()).split(/\s+/).filter(Boolean)).toEqual(words(0, 60).map((word) => word.trim()));
  expect(streams()).toBe(before + 1);
});

test('where more was missed than the daemon keeps, everything is loaded anew', async () => {
  const { page } = await home.openDashboard('#/', { origin: proxy.url });
  await proxy.cut();
  const flood = Array.from({ length: 11_000 }, (_, index) => ({ trace: ['tick', { index }] }));
  const pid = await home.spawn(script([...flood, say('Flooded.')]), { provider: 'main' });
  await home.ended(pid);
  await proxy.open();
  const row = page.locator(`.row:has(a[href="#/processes/${pid}"])`);
  await row.getByText('done').waitFor();
  await page.goto(new URL(`/dashboard/#/processes/${pid}`, page.url()).href);
  await page.getByRole('region', { name: 'Answer' }).getByText('Flooded.').waitFor();
  expect(await page.getByRole('region', { name: 'Trace' }).innerText()).toMatch(/11,\d{3} events/);
});
