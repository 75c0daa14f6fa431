import { readdirSync } from 'node:fs';
import { join } from 'node:path';
import type { ChatEvent, ChatRequest, Message } from 'drivebay/plugin';
import { FakeHttpServer, type HttpAnswer, type HttpRequestRecord, json } from 'drivebay/testing';
import createDriver, { type DeltaCliDriver } from '../../plugins/delta-cli';
import type { Options } from '../../plugins/delta-cli/options';
import { textOf } from '../plugins/cli-harness';
import { DEFAULTS } from '../plugins/delta-cli/harness';
import { chatRequest, newCall } from '../plugins/harness';
import { OpenContext } from '../setup/open-context';
import { TempHome } from '../setup/temp-home';
import { until } from '../setup/until';
import { answers } from './codex-answers';
import { installedCli } from './installed-cli';
import { processesGone } from './left-processes';

const codex = installedCli('codex');

export let upstream: FakeHttpServer;
export let home: TempHome;
export let open: OpenContext<Options>;
let driver: DeltaCliDriver;
let answer: HttpAnswer | ((request: HttpRequestRecord) => HttpAnswer);

/** The real program in front of a loopback backend, with a home and a login of its own. */
export async function startCodex(): Promise<void> {
  upstream = await FakeHttpServer.start();
  upstream.answer((request) => {
    if (!request.path.endsWith('/responses')) return json({ models: [] });
    return typeof answer === 'function' ? answer(request) : answer;
  });
  home = new TempHome();
  process.env.CODEX_HOME = join(home.directory, '.codex');
  home.write('.codex/auth.json', JSON.stringify({ OPENAI_API_KEY: 'key-one' }));
  configure();
  start();
}

export async function endCodex(): Promise<void> {
  await driver.close();
  open.kept.close();
  await open.programs.close();
  await processesGone(home.directory);
  await open.close();
  await upstream.close();
  home.remove();
  delete process.env.CODEX_HOME;
}

/** The login's own backend is led to the loopback one. */
export function configure(more: string[] = []): void {
  const lines = [
    ...['model = "gpt-5.5"', 'model_provider = "loopback"', ...more, '[model_providers.loopback]', 'name = "loopback"'],
    ...[`base_url = "${upstream.url}/v1"`, 'wire_api = "responses"', 'requires_openai_auth = true'],
    ...['request_max_retries = 0', 'stream_max_retries = 2', 'supports_websockets = false'],
  ];
  home.write('.codex/config.toml', lines.join('\n'));
}

export function start(options: Partial<Options> = {}): void {
  open = new OpenContext<Options>(
    'delta-cli',
    { ...DEFAULTS, command: codex, warm: true, ...options },
    { HOME: home.directory },
  );
  driver = createDriver(open.context);
}

/** What the backend answers from now on. */
export const play = (next: typeof answer) => void (answer = next);
export const chats = () => upstream.requests.filter(({ path }) => path.endsWith('/responses'));
export const last = () => chats().at(-1)!;
export const say = (role: Message['role'], text: string): Message => ({ role, parts: [{ type: 'text', text }] });

interface Chatted {
  text: string;
  warm: string | undefined;
  events: ChatEvent[];
  ms: number;
}

export async function chat(
  request: Partial<ChatRequest> = {},
  signal?: AbortSignal,
  scope = 'the test',
): Promise<Chatted> {
  const call = { ...newCall(signal), log: open.context.log, scope: scope || undefined };
  const events: ChatEvent[] = [];
  const started = performance.now();
  let ms = 0;
  for await (const event of driver.chat(chatRequest({ stream: true, model: 'gpt-5.5', ...request }), call)) {
    if (event.type === 'text') ms ||= performance.now() - started;
    events.push(event);
  }
  const warm = events.flatMap((event) => (event.type === 'meta' && event.warm ? [event.warm] : []));
  return { text: textOf(events), warm: warm.at(-1), events, ms };
}

export const filesOfCodex = () => readdirSync(join(home.directory, '.codex')).sort();
const spares = () => open.kept.list().filter(({ state }) => state === 'spare');

/** Resolves when a program is ready that none of these is. */
export async function untilReady(used: readonly (number | undefined)[] = []): Promise<number> {
  const ready = () => spares().find(({ pid }) => !used.includes(pid));
  await until(ready);
  return ready()!.pid!;
}

/** Asks once, so that the next chat finds a program. */
export async function warmUp(): Promise<number> {
  play(answers('Hi.'));
  expect(await chat({ messages: [say('system', 'Be the first'), say('user', 'The first')] })).toMatchObject({
    ...{ text: 'Hi.', warm: 'cold' },
  });
  return untilReady();
}

interface SentItem {
  type: string;
  role?: string;
  content?: { text: string }[];
}

export const turns = ({ body }: HttpRequestRecord = last()): string[][] =>
  (body.input as SentItem[]).flatMap(({ role = '', content = [] }) =>
    content.length === 0 ? [] : [[role, content.map(({ text }) => text).join('')]],
  );
