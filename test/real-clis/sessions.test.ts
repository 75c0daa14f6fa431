import { FakeHttpServer, json } from 'drivebay/testing';
import { DaemonHome } from '../setup/daemon-home';
import { answers, runs } from './claude-answers';
import { installedCli } from './installed-cli';

let upstream: FakeHttpServer;

beforeEach(async () => {
  upstream = await FakeHttpServer.start();
});
afterEach(() => upstream.close());

const providers = (more = '') => `version: "1"
default_provider: agent
providers:
  - { name: agent, driver: claude-code, command: ${installedCli('claude')}, api_key_env: MY_KEY, default_model: claude-opus-4-8${more} }
`;

function home(): DaemonHome {
  const made = new DaemonHome({
    ...{ ANTHROPIC_BASE_URL: upstream.url, IS_SANDBOX: '1', MY_KEY: 'key-of-the-test' },
    ...{ CLAUDE_CODE_DISABLE_NONESSENTIAL_TRAFFIC: '1', CLAUDE_CODE_MAX_RETRIES: '0' },
  });
  made.configure(providers());
  upstream.answer((request) => {
    if (request.method !== 'POST' || !request.path.startsWith('/v1/messages')) return json({});
    const told = JSON.stringify(request.body.messages);
    return told.includes('Look') && !told.includes('did you')
      ? runs('echo seen-by-the-tool', 'Seen.')(request)
      : answers('Yes.');
  });
  return made;
}

interface Block {
  type: string;
  text?: string;
  name?: string;
  content?: unknown;
}

/** The turns that the last request of the program tells, without what it adds itself. */
function turns(): string[] {
  const { body } = upstream.requests.findLast(({ path }) => path.startsWith('/v1/messages'))!;
  const said = body.messages.filter(({ role }: { role: string }) => role !== 'system');
  return said.flatMap(({ role, content }: { role: string; content: string | Block[] }) =>
    (typeof content === 'string' ? [{ type: 'text', text: content }] : content)
      .filter(({ text = '' }) => !text.includes('<system-reminder>'))
      .map(
        ({ type, text, name, content: result }) =>
          `${role}: ${text?.trim() ?? name ?? `${type} ${JSON.stringify(result)}`}`,
      ),
  );
}

test('Claude Code goes on in its own session, and knows what its tools did, also after a restart of the daemon', async () => {
  const agent = home();
  expect(await agent.run('Look around')).toMatchObject({
    code: 0,
    stdout: expect.stringContaining('Seen.') as string,
  });
  await agent.run('daemon', 'restart');
  expect(await agent.run('-c', 'What did you see?')).toMatchObject({ code: 0, stdout: 'Yes.\n' });
  expect(turns()).toEqual([
    'user: Look around',
    'assistant: Bash',
    expect.stringContaining('seen-by-the-tool'),
    'assistant: Seen.',
    'user: What did you see?',
  ]);
  expect((await agent.run('-c', '/clear')).code).toBe(0);
  expect(turns().slice(4)).toEqual(['user: What did you see?', 'assistant: Yes.', 'user: /clear']);
  // That process has gone on there already.
  expect((await agent.run('run', '--continue', '1', 'And else?')).code).toBe(0);
  expect(turns()[0]).toMatch(/Look around[^]*Seen\.[^]*And else\?/);
  const { stdout } = await agent.run('trace', '--json', '2');
  expect(stdout).toContain('"resumed":true');
});

test('without sessions Claude Code leaves none, and gets the conversation as a text', async () => {
  const agent = home();
  agent.configure(providers(', keep_sessions: false'));
  await agent.run('One');
  expect((await agent.run('-c', 'Two')).stdout).toBe('Yes.\n');
  expect(turns()).toEqual([expect.stringMatching(/One[^]*Yes\.[^]*Two/)]);
});
