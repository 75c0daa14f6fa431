/** Whatever a client sends in place of the results that a program waits for: the one that answers knows this conversation, and no other. */
import type { ChatCompletionMessageParam as Message, ChatCompletionTool as Tool } from 'openai/resources';
import { type CliRunRecord, type CliStep, FakeCli } from 'drivebay/testing';
import { DaemonHome } from '../../setup/daemon-home';
import { RunningGateway } from '../../setup/running-gateway';
import { asksFor, conversation, isSession } from './conversation';
import { isHelp } from './harness';
import { SESSION_HELP } from './help';
import { blockStop, calls, delta, init, messageDelta, messageStart, messageStop, result, resulted } from './lines';

const KEYS = { KEY_A: 'key-of-a-0123456789', KEY_B: 'key-of-b-0123456789' };
const home = new DaemonHome(KEYS);
let cli: FakeCli;
let gateway: RunningGateway;

/** Everything that is told in these tests is a word such as word-12. */
let words = 0;
const word = (): string => `word-${++words}`;
const wordsIn = (value: unknown): string[] => [...new Set(JSON.stringify(value).match(/word-\d+/g))].sort();

const said = new Map<CliRunRecord, string[]>();
const open = new Map<CliRunRecord, number>();

/** The model calls two tools, and says after their results what it knows. */
function play(run: CliRunRecord): CliStep[] {
  const ids = [word(), word()];
  said.set(run, [...(said.get(run) ?? []), ...ids]);
  open.set(run, ids.length);
  return [
    ...[messageStart(`msg_${ids[0]}`), delta('Looking.'), blockStop()],
    ...ids.flatMap((id) => [...calls(`toolu_${id}`, 'look', { of: id }), asksFor(`toolu_${id}`, 'look', { of: id })]),
    ...[blockStop(), messageDelta('tool_use'), messageStop()],
  ];
}

function know(run: CliRunRecord): CliStep[] {
  const text = wordsIn([run.argv, run.lines, said.get(run) ?? []]).join(' ');
  return [
    messageStart('msg_end'),
    delta(text),
    messageDelta('end_turn'),
    messageStop(),
    result(text, { num_turns: 2 }),
  ];
}

const entry = (name: string, more = {}) =>
  JSON.stringify({
    name,
    driver: 'claude-code',
    command: cli.command,
    default_model: 'm',
    warm: false,
    grace_sec: 1,
    ...more,
  });

const configure = (main: string[], targets = ['one', 'two']): string =>
  home.configure(
    `version: "1"\nproviders:\n${main.map((one) => `  - ${one}\n`).join('')}` +
      `routes:\n  - { name: both, targets: [${targets.join()}] }\n` +
      `clients:\n  - { name: a, api_key_env: KEY_A }\n  - { name: b, api_key_env: KEY_B }\n`,
  );

const openGateway = () => RunningGateway.start([], { env: home.environment(KEYS) });

beforeAll(async () => {
  cli = await FakeCli.start({ name: 'claude' });
  cli.script((run) => (isHelp(run) ? [SESSION_HELP] : [init(), result('No session')]));
  cli.converse(
    conversation({
      answer: (line, run) => (wordsIn(line.message).length > 1 ? know(run) : play(run)),
      result(id, content, run) {
        open.set(run, open.get(run)! - 1);
        return [resulted(id, content), ...(open.get(run) === 0 ? know(run) : [])];
      },
    }),
  );
  configure([entry('one'), entry('two')]);
  await home.start();
  gateway = await openGateway();
});

afterAll(async () => {
  await gateway.stop();
  await home.run('daemon', 'stop');
  await cli.close();
  home.remove();
});

interface Asked {
  messages: Message[];
  tools: Tool[];
  model: string;
}

type Answer = { status: number; warm: string | null; message: Extract<Message, { role: 'assistant' }>; text: string };

async function ask(body: Asked, key: keyof typeof KEYS = 'KEY_A'): Promise<Answer> {
  const response = await gateway.chat({ ...body }, { headers: { authorization: `Bearer ${KEYS[key]}` } });
  const text = await response.text();
  const { choices } = JSON.parse(text) as { choices?: { message: Answer['message'] }[] };
  const { message } = choices?.[0] ?? { message: { role: 'assistant' } };
  return { status: response.status, warm: response.headers.get('x-drivebay-warm'), message, text };
}

const toolNamed = (description: string): Tool => ({
  type: 'function',
  function: { name: 'look', description, parameters: { type: 'object', properties: { of: {} } } },
});

/** A conversation whose program waits for two results. */
async function begin(more: Partial<Asked> = {}, key?: keyof typeof KEYS) {
  const asked: Asked = {
    messages: [
      { role: 'system', content: word() },
      { role: 'user', content: word() },
    ],
    tools: [toolNamed(word())],
    model: 'one',
    ...more,
  };
  const { message, status, text } = await ask(asked, key);
  if (status !== 200 || message.tool_calls?.length !== 2) throw new Error(text);
  const ids = message.tool_calls.map(({ id }) => id);
  return {
    asked,
    message,
    ids,
    results: ids.map((id): Message => ({ role: 'tool', tool_call_id: id, content: word() })),
  };
}

type Begun = Awaited<ReturnType<typeof begin>>;

const next = ({ asked, message, results }: Begun, more: Partial<Asked> = {}): Asked => ({
  ...asked,
  messages: [...asked.messages, message, ...results],
  ...more,
});

/** What the one that answers knows is what it was asked with. */
async function expectOwn(body: Asked, warm: 'resumed' | 'cold', key?: keyof typeof KEYS): Promise<void> {
  const answer = await ask(body, key);
  expect([answer.status, answer.warm, (answer.message.content as string).split(' ')]).toEqual([
    ...[200, warm, wordsIn([body.messages, body.tools])],
  ]);
}

const alive = () => cli.runs.filter((run) => isSession(run) && !run.ended);

test('the same history under another key is told anew, and the one whose program waits goes on', async () => {
  const begun = await begin();
  await expectOwn(next(begun), 'cold', 'KEY_B');
  await expectOwn(next(begun), 'resumed');
});

test('two conversations that begin with the same words do not mix, whichever results come first', async () => {
  const first = await begin();
  const second = await begin(first.asked);
  await expectOwn(next(second), 'resumed');
  await expectOwn(next(first), 'resumed');
});

test('the results of one conversation in another one that begins the same are told anew', async () => {
  const first = await begin();
  const second = await begin(first.asked);
  const [call, other] = first.message.tool_calls!;
  const [mixed] = second.message.tool_calls!;
  const message = { ...first.message, tool_calls: [call!, mixed!] };
  const results = [first.results[0]!, second.results[0]!];
  expect(other).toBeDefined();
  await expectOwn(next({ ...first, message, results }), 'cold');
  await expectOwn(next(second), 'resumed');
});

test.each<[string, (begun: Begun) => Asked]>([
  [
    'another system text',
    (one) => next(one, { messages: [{ role: 'system', content: word() }, ...next(one).messages.slice(1)] }),
  ],
  ['no system text', (one) => next(one, { messages: next(one).messages.slice(1) })],
  [
    'another question',
    ({ asked, ...one }) =>
      next({ ...one, asked: { ...asked, messages: [asked.messages[0]!, { role: 'user', content: word() }] } }),
  ],
  ['other words of the model', (one) => next({ ...one, message: { ...one.message, content: word() } })],
  [
    'other arguments',
    (one) => {
      const [call, other] = one.message.tool_calls!;
      const edited = { ...call!, function: { name: 'look', arguments: JSON.stringify({ of: word() }) } };
      return next({ ...one, message: { ...one.message, tool_calls: [edited, other!] } });
    },
  ],
  ['other tools', (one) => next(one, { tools: [toolNamed(word())] })],
  ['a further text', (one) => next(one, { messages: [...next(one).messages, { role: 'user', content: word() }] })],
  ['a result twice', (one) => next({ ...one, results: [...one.results, one.results[0]!] })],
  ['another model', (one) => next(one, { model: 'one:other' })],
  ['another provider', (one) => next(one, { model: 'two' })],
])('with %s it is told anew', async (_name, edit) => {
  const begun = await begin();
  await expectOwn(edit(begun), 'cold');
});

test('results in another order go on, the same ones once more are told anew, and so are others', async () => {
  const begun = await begin();
  await expectOwn(next({ ...begun, results: [...begun.results].reverse() }), 'resumed');
  await expectOwn(next(begun), 'cold');
  const results = begun.ids.map((id): Message => ({ role: 'tool', tool_call_id: id, content: word() }));
  await expectOwn(next({ ...begun, results }), 'cold');
});

test('of two forks at once one goes on, and each knows its own results only', async () => {
  const begun = await begin();
  const fork = begun.ids.map((id): Message => ({ role: 'tool', tool_call_id: id, content: word() }));
  const bodies = [next(begun), next({ ...begun, results: fork })];
  const answers = await Promise.all(bodies.map((body) => ask(body)));
  expect(answers.map(({ warm }) => warm).sort()).toEqual(['cold', 'resumed']);
  expect(answers.map(({ message }) => message.content)).toEqual(
    bodies.map((body) => wordsIn([body.messages, body.tools]).join(' ')),
  );
});

test('a result that is missing, a question in place of all and a foreign result are refused, and the program waits on', async () => {
  const begun = await begin();
  const foreign = await begin();
  const question: Message = { role: 'user', content: word() };
  for (const results of [[begun.results[1]!], [question], [begun.results[0]!, foreign.results[1]!]]) {
    expect((await ask(next({ ...begun, results }))).status).toBe(400);
  }
  await expectOwn(next(begun), 'resumed');
  await expectOwn(next(foreign), 'resumed');
});

test('a route finds the program again, and the one that its next target has to start is told all', async () => {
  const begun = await begin({ model: 'both' });
  await expectOwn(next(begun), 'resumed');
  const other = await begin({ model: 'both' });
  configure([entry('one'), entry('two')], ['two', 'one']);
  await home.run('reload');
  await expectOwn(next(other), 'cold');
  await expectOwn(next(other, { model: 'one' }), 'resumed');
});

test('a reload that leaves the provider alone ends nothing, and one that changes it ends what waits', async () => {
  const begun = await begin();
  configure([entry('one'), entry('two', { timeout_sec: 77 })]);
  await home.run('reload');
  await expectOwn(next(begun), 'resumed');
  const other = await begin();
  configure([entry('one', { timeout_sec: 78 }), entry('two')]);
  await home.run('reload');
  await expectOwn(next(other), 'cold');
  await cli.until(() => alive().length === 0);
});

test('after a daemon that was killed a new one is told all, and nothing of the old one is left', async () => {
  const begun = await begin();
  await gateway.stop('SIGKILL');
  await home.end();
  await cli.until(() => alive().length === 0);
  await home.start();
  gateway = await openGateway();
  await expectOwn(next(begun), 'cold');
});
