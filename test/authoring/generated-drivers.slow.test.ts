import { execFile } from 'node:child_process';
import { mkdirSync, readdirSync, symlinkSync } from 'node:fs';
import { join } from 'node:path';
import { promisify } from 'node:util';
import { FakeCli, FakeHttpServer, json, sse } from 'drivebay/testing';
import { runCli } from '../setup/run-cli';
import { RunningGateway } from '../setup/running-gateway';
import { repository } from '../setup/repository';
import { tempHome } from '../setup/temp-home';

const run = promisify(execFile);
const home = tempHome();
const env = home.environment({ npm_config_offline: 'true', npm_config_update_notifier: 'false' });
const forms = [
  ['plain-http', '--kind', 'http'],
  ['typed-http', '--kind', 'http', '--ts'],
  ['plain-cli', '--kind', 'cli'],
  ['typed-cli', '--kind', 'cli', '--ts'],
  ['plain-text', '--kind', 'cli', '--plain'],
  ['typed-text', '--kind', 'cli', '--plain', '--ts'],
] as const;
const names = forms.map(([name]) => name);
const folderOf = (name: string) => join(home.directory, `drivebay-driver-${name}`);

beforeAll(async () => {
  const written = await Promise.all(forms.map((words) => runCli(['plugins', 'new', ...words], { env })));
  expect(written.map(({ code, stderr }) => [code, stderr])).toEqual(forms.map(() => [0, '']));
  for (const name of names) link(folderOf(name));
});

/** What `npm install` would put there, without asking a registry. */
function link(directory: string): void {
  const modules = join(directory, 'node_modules');
  mkdirSync(join(modules, '.bin'), { recursive: true });
  mkdirSync(join(modules, '@types'));
  symlinkSync(repository, join(modules, 'drivebay'));
  for (const name of ['typescript', '@types/node']) {
    symlinkSync(join(repository, 'node_modules', name), join(modules, name));
  }
  symlinkSync('../typescript/bin/tsc', join(modules, '.bin/tsc'));
}

test('each form passes its own tests, with its own runner, and every check', async () => {
  const outcomes = await Promise.all(
    names.map(async (name) => {
      const { stdout } = await run('npm', ['test', '--', '--test-reporter=tap'], { cwd: folderOf(name), env });
      const count = (what: string) => Number(new RegExp(`^# ${what} (\\d+)$`, 'm').exec(stdout)?.[1]);
      const { code, stdout: checked } = await runCli(['plugins', 'check', folderOf(name)], { env });
      const notOk = checked.split('\n').filter((line) => /^(failed|warning|skipped)/.test(line));
      return { name, failed: count('fail'), enough: count('pass') > 50, code, notOk };
    }),
  );
  const sound = { failed: 0, enough: true, code: 0, notOk: [] };
  expect(outcomes).toEqual(names.map((name) => ({ name, ...sound })));
});

test('each form installs as a package into the user’s folder, and answers through the gateway', async () => {
  await run('npm', ['pack', ...names.map(folderOf), '--pack-destination', home.directory], {
    cwd: home.directory,
    env,
  });
  const tarballs = readdirSync(home.directory).filter((name) => name.endsWith('.tgz'));
  expect(tarballs).toHaveLength(forms.length);
  const prefix = join(home.directory, '.config/drivebay/plugins');
  await run('npm', ['install', '--prefix', prefix, '--no-audit', '--no-fund', ...tarballs], {
    cwd: home.directory,
    env,
  });
  // Optional: npm installs no second Drivebay.
  expect(readdirSync(join(prefix, 'node_modules')).filter((name) => !name.startsWith('.'))).toEqual(
    names.map((name) => `drivebay-driver-${name}`).sort(),
  );

  const [server, program, writer] = await Promise.all([FakeHttpServer.start(), FakeCli.start(), FakeCli.start()]);
  const pieces = [{ text: 'Hello ' }, { text: 'there' }, { usage: { input: 3, output: 2 } }, { finish: 'stop' }];
  server.answer(({ path }) => (path === '/chat' ? sse(pieces) : json([])));
  program.script(pieces);
  // Text is passed on as it comes, and two pieces that lie ready are one.
  let isRead = Promise.resolve();
  writer.script(() => [{ stdout: 'Hello ' }, () => isRead, { stdout: 'there' }]);
  const entries = names.map((name) => ({
    ...{ name, driver: name, default_model: 'm' },
    ...(name.endsWith('http')
      ? { base_url: server.url, api_key_env: 'THE_KEY' }
      : { command: name.endsWith('text') ? writer.command : program.command }),
  }));
  home.configure(JSON.stringify({ version: '1', providers: entries }));
  const gateway = await RunningGateway.start([], { env: home.environment({ THE_KEY: 'a-key-of-the-test' }) });
  try {
    for (const model of names) {
      expect(await (await gateway.chat({ model })).json()).toMatchObject({
        choices: [{ message: { content: 'Hello there' }, finish_reason: 'stop' }],
        ...(!model.endsWith('text') && { usage: { prompt_tokens: 3, completion_tokens: 2 } }),
      });
      let go!: () => void;
      isRead = new Promise((resolve) => (go = resolve));
      let streamed = '';
      const answer = await gateway.chat({ model, stream: true });
      for await (const piece of answer.body!.pipeThrough(new TextDecoderStream()) as AsyncIterable<string>) {
        streamed += piece;
        if (streamed.includes('"Hello "')) go();
      }
      isRead = Promise.resolve();
      expect(streamed.match(/"content":"[^"]+"/g)).toEqual(['"content":"Hello "', '"content":"there"']);
    }
  } finally {
    await gateway.stop();
    await Promise.all([server.close(), program.close(), writer.close()]);
  }
});
