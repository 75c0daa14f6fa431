import { join } from 'node:path';
import type { Call, ChatEvent, ChatRequest, Driver, DriverContext, Message, Tool } from 'drivebay/plugin';
import { FakeHttpServer, type HttpAnswer, type HttpRequestRecord, json } from 'drivebay/testing';
import createClaude from '../../plugins/alpha-cli';
import createCodex from '../../plugins/delta-cli';
import createGemini from '../../plugins/gamma-cli';
import { DEFAULTS as CLAUDE } from '../plugins/alpha-cli/harness';
import { textOf, warmOf } from '../plugins/cli-harness';
import { DEFAULTS as CODEX } from '../plugins/delta-cli/harness';
import { DEFAULTS as GEMINI } from '../plugins/gamma-cli/harness';
import { chatRequest, newCall } from '../plugins/harness';
import { OpenContext } from '../setup/open-context';
import { asksFor } from './codex-answers';
import { installedCli } from './installed-cli';
import { deciding, type Turn } from './scripted-wires';

const before = process.env;
const DRIVERS: Record<string, [string, (context: never) => Driver, object, string]> = {
  claude: ['alpha-cli', createClaude, CLAUDE, 'claude-opus-4-8'],
  codex: ['delta-cli', createCodex, CODEX, 'gpt-5.5'],
  gemini: ['gamma-cli', createGemini, GEMINI, 'm-1'],
};

export const PROGRAMS = Object.keys(DRIVERS);

export let upstream: FakeHttpServer;
export let open: OpenContext<object>;
let driver: Driver;
let model: string;
let decide: (request: HttpRequestRecord) => Turn | HttpAnswer;

/** What a request shows of the results that its model has got: words such as R-12. */
export const resultsIn = ({ text }: HttpRequestRecord): string[] => [...new Set(text.match(/R-\d+/g) ?? [])];

interface Listed {
  name: string;
  description: string;
  functionDeclarations?: Listed[];
}
export const toolsIn = ({ body }: HttpRequestRecord): Listed[] =>
  ((body.tools ?? []) as Listed[]).flatMap((each) => each.functionDeclarations ?? [each]);

/** Names of a client's tools have no namespace there, whatever is in them. */
export function calling({ path }: HttpRequestRecord, calls: { name: string; args: object }[]): Turn | HttpAnswer {
  if (!path.endsWith('/responses')) return { calls };
  const toItem = ({ name, args }: (typeof calls)[number], index: number) => ({
    ...{ type: 'function_call', id: `fc_${index}`, call_id: `call_${index}`, status: 'completed' },
    ...{ name, arguments: JSON.stringify(args) },
  });
  return asksFor(calls.map(toItem));
}

/** Calls the first tool, then says which results it has got. */
export const looks = (request: HttpRequestRecord): Turn => {
  const results = resultsIn(request);
  const [first] = toolsIn(request);
  if (results.length > 0 || !first) return { text: `saw ${results.join(' ')}` };
  return { text: 'Let me look.', calls: [{ name: first.name, args: { of: 1 } }] };
};

/** A driver with a real program, in front of a model that calls tools. */
export async function start(program: string): Promise<void> {
  upstream = await FakeHttpServer.start();
  const answer = deciding((request) => decide(request));
  upstream.answer((request) => (isChat(request) ? answer(request) : json({ models: [] })));
  decide = looks;
  const [name, create, defaults, itsModel] = DRIVERS[program]!;
  model = itsModel;
  const key = program === 'codex' ? {} : { api_key_env: 'MY_KEY' };
  open = new OpenContext<object>(name, { ...defaults, command: installedCli(program), warm: true, ...key }, (home) => ({
    ...{ HOME: home, GEMINI_CLI_HOME: home, MY_KEY: 'key-of-the-test', IS_SANDBOX: '1' },
    ...{ ANTHROPIC_BASE_URL: upstream.url, CLAUDE_CODE_DISABLE_NONESSENTIAL_TRAFFIC: '1' },
    GOOGLE_GEMINI_BASE_URL: upstream.url,
  }));
  const { home } = open;
  process.env = { ...before, GEMINI_CLI_HOME: home.directory, CODEX_HOME: join(home.directory, '.codex') };
  home.write('.codex/auth.json', JSON.stringify({ OPENAI_API_KEY: 'key-one' }));
  const provider = `base_url = "${upstream.url}/v1"\nwire_api = "responses"\nrequires_openai_auth = true\nsupports_websockets = false`;
  home.write(
    '.codex/config.toml',
    `model_provider = "loopback"\n[model_providers.loopback]\nname = "loopback"\n${provider}`,
  );
  driver = create(open.context as DriverContext as never);
}

/** Gives the model other answers from now on. */
export const plays = (next: typeof decide) => void (decide = next);

export async function end(): Promise<void> {
  await driver.close?.();
  await open.close();
  await upstream.close();
  process.env = before;
}

const isChat = ({ method, path }: HttpRequestRecord) =>
  method === 'POST' && /streamGenerate|\/v1\/messages(?!\/count)|\/responses$/.test(path);
export const chats = () => upstream.requests.filter(isChat);
export const waiting = () => open.kept.list().filter(({ state }) => state === 'waiting');

type Called = Extract<ChatEvent, { type: 'tool_call' }>;
const tool = (name: string): Tool => ({
  name,
  description: 'Looks',
  parameters: { type: 'object', properties: { of: { type: 'number' } } },
});

export async function ask(messages: Message[], more: Partial<ChatRequest> = {}, call: Partial<Call> = {}) {
  const events: ChatEvent[] = [];
  const whole = { ...newCall(), deadline: Date.now() + 60_000, log: open.context.log, scope: 'one', ...call };
  const request = chatRequest({ model, stream: true, messages, tools: [tool('look')], ...more });
  for await (const event of driver.chat(request, whole)) events.push(event);
  const calls = events.filter((event): event is Called => event.type === 'tool_call');
  return { text: textOf(events), warm: warmOf(events), calls, end: events.at(-1) };
}

type Asked = Awaited<ReturnType<typeof ask>>;

/** The messages of a client that has run the tools. */
export function ran(messages: Message[], { text, calls }: Asked, ...results: string[]): Message[] {
  const parts = calls.map(({ id, name, arguments: args }) => ({
    ...({ type: 'tool_call', id: id!, name: name!, arguments: args! } as const),
  }));
  const told = results.map((value, index): Message => {
    const content = [{ type: 'text', text: value } as const];
    return { role: 'tool', parts: [{ type: 'tool_result', callId: calls[index]!.id!, content }] };
  });
  const said: Message = {
    role: 'assistant',
    parts: [...(text === '' ? [] : [{ type: 'text', text } as const]), ...parts],
  };
  return [...messages, said, ...told];
}
