import { cpSync, mkdirSync, readdirSync, readFileSync, rmSync, symlinkSync } from 'node:fs';
import { join } from 'node:path';
import { parseManifest } from '../core/plugins/manifest';
import { repository } from './setup/repository';
import { COMMONJS } from './setup/driver-code';
import { type CliResult, runCli } from './setup/run-cli';
import { RunningGateway } from './setup/running-gateway';
import { tempHome } from './setup/temp-home';

/** A whole third-party driver, as its author would publish it: an ES module with an option that only it declares. */
const QUETZAL = `
  export default ({ options, provider }) => ({
    async *chat(request, call) {
      const last = request.messages.at(-1).parts.map((part) => part.text).join('');
      const answer = [provider, request.model, last, options.plumage].join(' ');
      yield { type: 'meta', model: request.model };
      for (const text of request.stream ? answer.split(/(?= )/) : [answer]) yield { type: 'text', text };
      yield { type: 'usage', inputTokens: 7, outputTokens: 3 };
      yield { type: 'finish', reason: 'stop' };
    },
    async check() { return { detail: 'in the tree' }; },
  });
`;

describe('a driver with a name that core has never seen, in a folder of its own', () => {
  const home = tempHome();
  let gateway: RunningGateway | undefined;
  let status: CliResult;

  beforeAll(async () => {
    home.plugin('quetzal', {
      folder: 'drivers/drivebay-driver-quetzal',
      main: './quetzal.mjs',
      code: QUETZAL,
      manifest: { aliases: ['kuk'], options: { plumage: { type: 'string', default: 'green' } } },
    });
    home.plugin('other', { folder: 'drivers/other', code: COMMONJS });
    home.plugin('crashing', { folder: 'drivers/crashing', code: 'throw new Error("no beak")' });
    home.write('drivers/unreadable/manifest.json', '{');
    home.providers(
      'name: bird, driver: quetzal, default_model: q-1, plumage: blue',
      'name: nick, driver: kuk, default_model: q-2',
      'name: else, driver: other, default_model: o-1, plumage: blue',
      'name: broken, driver: crashing, default_model: c-1',
    );
    const env = home.environment({ DRIVEBAY_PLUGIN_PATH: join(home.directory, 'drivers') });
    [gateway, status] = await Promise.all([
      RunningGateway.start([], { env }),
      runCli(['providers', 'status', '--json'], { env }),
    ]);
    await gateway.untilOutput(/broken is offline/);
  });

  afterAll(() => gateway?.stop());

  const running = () => gateway as RunningGateway;

  test('shows up in `providers status`, under its alias, too', () => {
    expect(status.code).toBe(0);
    const { providers, plugins } = JSON.parse(status.stdout) as Record<string, Record<string, unknown>[]>;
    expect(providers).toEqual([
      expect.objectContaining({ name: 'bird', driver: 'quetzal', status: 'healthy', detail: 'in the tree' }),
      expect.objectContaining({ name: 'nick', driver: 'quetzal', status: 'healthy' }),
      expect.objectContaining({ name: 'else', driver: 'other', status: 'healthy' }),
      expect.objectContaining({ name: 'broken', driver: 'crashing', status: 'offline' }),
    ]);
    expect(plugins?.filter(({ source }) => source === 'path').map(({ driver, state }) => [driver, state])).toEqual([
      ['crashing', 'failed'],
      ['quetzal', 'ready'],
      ['other', 'ready'],
      ['unreadable', 'failed'],
    ]);
  });

  test('shows up in /v1/models; the broken one beside it does not', async () => {
    const list = (await (await fetch(`${running().url}/v1/models`)).json()) as { data: { id: string }[] };
    expect(list.data.map(({ id }) => id)).toEqual(['bird', 'bird:q-1', 'nick', 'nick:q-2', 'else', 'else:o-1']);
  });

  test('chats in one piece, with its option and its default', async () => {
    const answers = (await Promise.all(
      ['bird', 'nick:q-9', 'q-2'].map(async (model) => (await running().chat({ model })).json()),
    )) as { usage: object; choices: { message: { content: string } }[] }[];
    expect(answers[0]?.usage).toMatchObject({ prompt_tokens: 7, completion_tokens: 3, total_tokens: 10 });
    const contents = answers.map(({ choices }) => choices[0]?.message.content);
    expect(contents).toEqual(['bird q-1 Hello blue', 'nick q-9 Hello green', 'nick q-2 Hello green']);
  });

  test('chats in a stream, piece by piece, to a clean end', async () => {
    const response = await running().chat({ model: 'bird', stream: true });
    expect(response.headers.get('content-type')).toMatch(/^text\/event-stream/);
    const events = (await response.text()).split('\n\n').filter(Boolean);
    expect(events.pop()).toBe('data: [DONE]');
    const chunks = events.map((event) => JSON.parse(event.replace('data: ', ''))) as {
      choices: { delta: { content?: string }; finish_reason: string | null }[];
    }[];
    const pieces = chunks.flatMap(({ choices }) => choices[0]?.delta.content || []);
    expect(pieces).toEqual(['bird', ' q-1', ' Hello', ' blue']);
    expect(chunks.at(-1)?.choices[0]?.finish_reason).toBe('stop');
  });

  test('takes an option that only it declares; the same option on another provider warns', () => {
    const warning = /providers\.yaml:5:\d+: provider "else": driver "other" does not use plumage, ignored/;
    expect(status.stderr).toMatch(warning);
    expect(running().stderr).toMatch(warning);
    expect(status.stderr.match(/plumage/g)).toHaveLength(1);
  });

  test('runs on beside plug-ins that are broken; who asks for those gets the reason', async () => {
    const answer = await running().chat({ model: 'broken' });
    expect(answer.status).toBe(502);
    expect(await answer.json()).toMatchObject({
      error: { code: 'upstream_error', message: expect.stringContaining('no beak') },
    });
    expect(running().stderr).toMatch(/drivers\/unreadable is failed: manifest\.json is not JSON/);
    expect((await running().chat({ model: 'bird' })).status).toBe(200);
  });
});

describe('without one of the drivers that come with it', () => {
  const home = tempHome();
  const copy = join(home.directory, 'package');
  const bundled = readdirSync(join(repository, 'plugins')).filter((name) => name !== '_shared');
  const gone = bundled[0] ?? '';
  const manifest = parseManifest(readFileSync(join(repository, 'plugins', gone, 'manifest.json'), 'utf8'));
  let gateway: RunningGateway | undefined;

  beforeAll(() => {
    mkdirSync(copy);
    // As installed: no sources of core, so that nothing is compiled.
    for (const part of ['bin', 'dist', 'plugins', 'docs', 'package.json']) {
      cpSync(join(repository, part), join(copy, part), { recursive: true });
    }
    symlinkSync(join(repository, 'node_modules'), join(copy, 'node_modules'));
    rmSync(join(copy, 'plugins', gone), { recursive: true });
    rmSync(join(copy, 'dist/plugins', gone), { recursive: true });
    home.plugin('parrot', { code: COMMONJS });
  });

  afterAll(() => gateway?.stop());

  const program = join(copy, 'bin/cli');

  test('everything else runs', async () => {
    home.configure('version: "1"\nproviders:\n  - { name: polly, driver: parrot, default_model: ara }\n');
    gateway = await RunningGateway.start(['--demo'], { env: home.environment(), program });
    expect(await (await gateway.chat({ model: 'polly' })).json()).toMatchObject({
      choices: [{ message: { content: 'hi' } }],
    });
    expect((await gateway.chat({ model: 'demo' })).status).toBe(200);
    const { stdout } = await runCli(['plugins', 'list', '--json'], { env: home.environment(), program });
    const { plugins } = JSON.parse(stdout) as { plugins: { driver: string }[] };
    expect(plugins.map(({ driver }) => driver)).not.toContain(manifest.driver);
    expect(plugins.map(({ driver }) => driver)).toContain('parrot');
  });

  test('a provider that names it is told that no plug-in provides it', async () => {
    home.configure(`version: "1"\nproviders:\n  - { name: a, driver: ${manifest.driver} }\n`);
    const { code, stderr } = await runCli(['providers', 'status'], { env: home.environment(), program });
    expect(code).toBe(2);
    expect(stderr).toContain(`no plug-in provides driver "${manifest.driver}"`);
  });
});
