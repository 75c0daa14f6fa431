import { chmodSync, existsSync, readdirSync, readFileSync, statSync } from 'node:fs';
import { Conversation } from '../../../core/cli/chat/conversation';
import { saveChat } from '../../../core/cli/chat/save-chat';
import { say, script } from '../../agents/scripted-agent';
import { AgentHome } from '../../setup/agent-home';
import { DaemonHome } from '../../setup/daemon-home';
import { LiveCli } from '../../setup/live-cli';
import { RunningGateway } from '../../setup/running-gateway';

const home = new AgentHome();
const USED = /main, m-1 · [\d.]+m?s · 100 tokens in \(40 cached\), 10 out\n/;
const TELL = [{ tell: 'request' }];

/** What a chat does with these lines on stdin. */
const chat = (lines: string[], ...words: string[]) =>
  home
    .live('chat', ...words)
    .endInput(lines.join('\n'))
    .end();

/** The messages of a request that the model told. */
const toldIn = (text: string) =>
  (JSON.parse(text) as { messages: { role: string; parts: { text: string }[] }[] }).messages.map(
    ({ role, parts }) => `${role}: ${parts[0]!.text.startsWith('[') ? 'SCRIPT' : parts[0]!.text}`,
  );

test('each line of a pipe is a message, the model knows those before, and stdout has the answers alone', async () => {
  const { code, stdout, stderr } = await chat([script([say('one')], [say('two')], TELL), 'second', 'third']);
  const [one, two, told] = stdout.trimEnd().split('\n');
  expect([code, one, two]).toEqual([0, 'one', 'two']);
  expect(toldIn(told!)).toEqual(['user: SCRIPT', 'assistant: one', 'user: second', 'assistant: two', 'user: third']);
  expect(stderr.match(new RegExp(USED, 'g'))).toHaveLength(3);
  expect(stderr.replace(new RegExp(USED, 'g'), '')).toBe('');
});

test('a line that ends with a backslash goes on in the next one, also the last one', async () => {
  const { stdout } = await chat([script([say('one')], TELL), 'two \\', '', 'lines \\']);
  expect(stdout.trimEnd().split('\n')[0]).toBe('one');
  const { stdout: told } = await chat([script([say('one')], TELL), 'two \\', 'lines \\']);
  expect(toldIn(told.trimEnd().split('\n')[1]!)).toEqual(['user: SCRIPT', 'assistant: one', 'user: two \nlines']);
});

test('provider, model and system prompt come from flags, and change in the middle', async () => {
  const lines = [
    script([say('one')], TELL, TELL, TELL),
    '/model other',
    'second',
    '/model plain:p-9',
    '/system none',
    'third',
    '/model p-8',
    'fourth',
  ];
  const { code, stdout, stderr } = await chat(lines, '--provider', 'main', '--model', 'm-9', '--system', 'Be brief.');
  const [, second, third, fourth] = stdout.trimEnd().split('\n');
  expect(code).toBe(0);
  const modelOf = (text = '') => (JSON.parse(text) as { model: string }).model;
  expect([second, third, fourth].map(modelOf)).toEqual(['o-1', 'p-9', 'p-8']);
  expect(toldIn(second!)[0]).toBe('system: Be brief.');
  expect(toldIn(third!)[0]).toBe('user: SCRIPT');
  const lineOf = (source: string) => expect.stringMatching(new RegExp(`^${source} · `)) as string;
  expect(stderr.trimEnd().split('\n')).toEqual([
    lineOf('main, m-9'),
    'other, o-1',
    lineOf('other, o-1'),
    'plain, p-9',
    'there is no system prompt',
    lineOf('plain, p-9'),
    'plain, p-8',
    lineOf('plain, p-8'),
  ]);
});

test('an agent CLI answers, too', async () => {
  const { code, stdout } = await chat([script([say('one')], TELL), 'second'], '--provider', 'cli');
  expect(code).toBe(0);
  expect(toldIn(stdout.split('\n')[1]!)).toEqual(['user: SCRIPT', 'assistant: one', 'user: second']);
});

test('a failure says why with its hint, leaves no trace in the conversation, and the chat goes on', async () => {
  const failing = script([{ fail: ['upstream', 'it broke', { hint: 'mend it' }] }]);
  const { code, stdout, stderr } = await chat([failing, script(TELL), '/mdel', '/clear', '/etc/hosts is what?']);
  expect(stderr).toContain('error: provider "main": it broke\n  mend it\n');
  expect(stderr).toContain('error: there is no command /mdel\n  did you mean /model?');
  expect(stderr).toContain('error: there is no command /clear\n  did you mean /new?');
  expect(toldIn(stdout.split('\n')[0]!)).toEqual(['user: SCRIPT']);
  expect(stdout).toMatch(/\nHello\n$/);
  expect(code).toBe(2);
});

test('/save writes the conversation for the user alone, and replaces its own files only', async () => {
  home.write('mine.md', 'mine');
  const lines = [
    'say it',
    '/save talk.md',
    '/save talk.json',
    '/save talk.md',
    '/save mine.md',
    '/save no/where.md',
    '/save',
  ];
  const { stderr } = await chat(lines, '--system', 'Be brief.');
  const [markdown, json] = ['talk.md', 'talk.json'].map((name) => `${home.directory}/${name}`);
  expect(readFileSync(markdown!, 'utf8')).toBe('## System\n\nBe brief.\n\n## You\n\nsay it\n\n## Model\n\nHello\n');
  expect(JSON.parse(readFileSync(json!, 'utf8'))).toEqual({
    model: 'main',
    messages: [
      { role: 'system', content: 'Be brief.' },
      { role: 'user', content: 'say it' },
      { role: 'assistant', content: 'Hello' },
    ],
  });
  expect(statSync(markdown!).mode & 0o777).toBe(0o600);
  expect(stderr.match(/^written: /gm)).toHaveLength(3);
  expect(stderr).toContain(`error: ${home.directory}/mine.md exists already\n  name another one\n`);
  expect(stderr).toContain(
    `error: ${home.directory}/no/where.md cannot be written: there is no folder ${home.directory}/no\n` +
      `  make it: mkdir -p '${home.directory}/no'; or name a file in another folder\n`,
  );
  expect(stderr).toContain('error: the name of the file is missing\n  /save FILE\n');
  expect(readFileSync(`${home.directory}/mine.md`, 'utf8')).toBe('mine');
});

test('/save keeps the mode that its file has been given since', () => {
  const file = home.write('shown.md', 'before');
  chmodSync(file, 0o644);
  saveChat(new Conversation(undefined, undefined, undefined), file, { defaultProvider: null, mayReplace: () => true });
  expect([readFileSync(file, 'utf8'), statSync(file).mode & 0o777]).toEqual(['', 0o644]);
});

test('a gateway answers what /save writes as a request, by whom the chat has asked', async () => {
  const file = `${home.directory}/model.json`;
  // The model is also the default one of another provider, to which the name alone would lead.
  await chat(['say it', '/model p-1', `/save ${file}`]);
  const body = JSON.parse(readFileSync(file, 'utf8')) as { messages: unknown[] };
  const gateway = await RunningGateway.start([], { env: home.environment(), cwd: home.directory });
  const answer = await gateway.chat(body);
  await gateway.stop();
  expect([answer.status, answer.headers.get('x-drivebay-provider')]).toEqual([200, 'main']);
  expect(body).toMatchObject({ model: 'main:p-1' });
});

test('/new forgets the conversation, /help explains, /exit leaves', async () => {
  const { code, stdout, stderr } = await chat(['say it', '/new', script(TELL), '/help', '/exit', 'never']);
  expect(code).toBe(0);
  expect(toldIn(stdout.split('\n')[1]!)).toEqual(['user: SCRIPT']);
  for (const name of ['/model', '/system', '/save', '/new', '/exit'])
    expect(stderr).toMatch(new RegExp(`^${name} `, 'm'));
  expect(stdout.trimEnd().split('\n')).toHaveLength(2);
});

test('Ctrl-C ends the answer, keeps what was said, and not the chat; while nothing is said it ends the chat', async () => {
  const live = home.live('chat').type(script([say('half'), { hang: true }], TELL));
  await live.until(/half/);
  live.signal('SIGINT').type('go on');
  await live.until(/\{/);
  await live.until(USED);
  expect(toldIn(live.stdout.split('\n')[1]!)).toEqual(['user: SCRIPT', 'assistant: half', 'user: go on']);
  expect(await live.signal('SIGINT').end()).toMatchObject({ code: 130 });
});

test('a daemon that ends in the middle of an answer is told, and the next message starts another one', async () => {
  const own = new AgentHome();
  const pid = await own.start();
  const live = own.live('chat').type(script([say('half'), { hang: true }]));
  await live.until(/half/);
  process.kill(pid, 'SIGKILL');
  await live.until(/error: the daemon has ended/);
  live.type('/new').type('again');
  await live.until(/Hello\n/);
  expect((await live.endInput().end()).code).toBe(1);
});

test.each<[string, string[], RegExp]>([
  ['an unknown provider', ['--provider', 'mian'], /^error: there is no provider "mian"\n {2}did you mean/],
  ['an unknown flag', ['--modle', 'x'], /unknown option '--modle'/],
])('%s is a mistake: nothing is asked', async (_, words, message) => {
  const { code, stdout, stderr } = await chat(['say it'], ...words);
  expect({ code, stdout }).toEqual({ code: 2, stdout: '' });
  expect(stderr).toMatch(message);
});

test('without a configuration a failure names the command that writes one', async () => {
  const own = new DaemonHome();
  const live = new LiveCli(['chat'], { env: own.environment(), cwd: own.directory }).endInput('say it\n');
  const { code, stderr } = await live.end();
  expect(code).toBe(1);
  expect(stderr).toMatch(
    /error: provider "\w+": no API key: .*\n.*\n {2}there is no \S+providers.yaml.* drivebay init\n$/,
  );
});

test.each([
  [
    '[{ name: other, driver: talker, default_model: o-1 }]',
    'use --provider NAME, or set default_provider in providers.yaml (providers: other)',
  ],
  ['[]', 'add a provider to providers.yaml, and set default_provider'],
])('without a default provider a warning says who answers, and how to choose: %s', async (providers, advice) => {
  const own = new AgentHome();
  own.configure(`version: "1"\nproviders: ${providers}\n`);
  const { stderr } = await own.live('chat').endInput('').end();
  expect(stderr).toBe(`warning: there is no default_provider, so the built-in provider answers; ${advice}\n`);
});

test('a model with the name of a provider before it is the full name of a model: a warning says how to ask that provider', async () => {
  const { stderr } = await chat(['say it'], '--model', 'other:o-1');
  expect(stderr).toMatch(
    /^warning: --model "other:o-1" is the full name of a model; .* --provider other --model o-1\n/,
  );
});

test('a chat is in the ledger, and leaves no record of what was said', async () => {
  const turns = async () => {
    const { stdout } = await home.run('usage', '--json');
    return (JSON.parse(stdout) as { usage: { turns: number }[] }).usage.reduce((sum, row) => sum + row.turns, 0);
  };
  const before = await turns();
  await chat(['a secret of mine']);
  expect(await turns()).toBe(before + 1);
  const files = readdirSync(`${home.state}/usage`).filter((name) => name.endsWith('.ndjson'));
  const lines = files.flatMap((name) => readFileSync(`${home.state}/usage/${name}`, 'utf8').trim().split('\n'));
  expect(lines.sort().at(-1)).toContain('"source":"chat"');
  expect(lines.join('\n')).not.toContain('a secret of mine');
  expect(existsSync(`${home.state}/chat_history`)).toBe(false);
  expect(existsSync(`${home.state}/processes`)).toBe(false);
});
