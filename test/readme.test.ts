import { execFile } from 'node:child_process';
import { readFileSync } from 'node:fs';
import { join, resolve } from 'node:path';
import { promisify } from 'node:util';
import { DaemonHome } from './setup/daemon-home';
import { runCli } from './setup/run-cli';
import { RunningGateway } from './setup/running-gateway';
import { TempHome } from './setup/temp-home';
import { delta, DONE, finish, json, sse, Upstream } from './setup/upstream';

const run = promisify(execFile);
const root = resolve(__dirname, '..');
const readme = readFileSync(join(root, 'README.md'), 'utf8');
const home = new TempHome();

/** The code blocks of a language, in order. */
function blocks(language: string): string[] {
  return [...readme.matchAll(new RegExp('```' + language + '\n([^]*?)```', 'g'))].map((match) => match[1]!);
}

/** What other tests, or CI, run: they start a server or install packages. */
const RUN_ELSEWHERE = ['npm ci', 'bin/cli init', 'npm test', 'bin/cli serve', 'bin/cli serve --demo'];

let gateway: RunningGateway | undefined;
let upstream: Upstream | undefined;

afterEach(async () => {
  await gateway?.stop();
  await upstream?.close();
});
afterAll(() => home.remove());

test('the first curl of the README gets an answer from serve --demo', async () => {
  gateway = await RunningGateway.start(['--demo'], { env: home.environment() });
  const curl = blocks('sh').find((block) => block.startsWith('curl'))!;
  const { stdout } = await run('sh', ['-c', curl.replaceAll('127.0.0.1:8080', `127.0.0.1:${gateway.port}`)]);
  expect(JSON.parse(stdout).choices[0].message.content).toBe('Hello');
});

test('the providers.yaml of the README is valid, and its commands work on it', async () => {
  home.configure(blocks('yaml')[0]!);
  const words = blocks('sh')
    .flatMap((block) => block.trim().split('\n'))
    .filter((line) => !RUN_ELSEWHERE.includes(line) && /^bin\/cli [a-z]/.test(line));
  expect(words).toEqual(['bin/cli config check', 'bin/cli providers status']);
  const env = home.environment();
  const check = await runCli(['config', 'check'], { env });
  expect(check).toMatchObject({ code: 0, stderr: '' });
  expect(check.stdout).toContain('2 providers, 0 warnings');
  const status = await runCli(['providers', 'status'], { env });
  expect(status.code).toBe(0);
  expect(status.stdout).toMatch(/^Provider +Driver +Status +Model +Latency\nlocal /);
});

test('the client example of the README streams an answer', async () => {
  upstream = await Upstream.start();
  upstream.answer((request) =>
    request.body?.stream ? sse([delta('Good '), delta('day'), finish(), DONE]) : json({ data: [] }),
  );
  home.configure(blocks('yaml')[0]!.replace('http://127.0.0.1:11434/v1', `${upstream.url}/v1`));
  gateway = await RunningGateway.start([], { env: home.environment() });
  const example = blocks('js')[0]!.replaceAll('127.0.0.1:8080', `127.0.0.1:${gateway.port}`);
  const { stdout } = await run(process.execPath, ['--input-type=module', '-e', example], { cwd: root });
  expect(stdout).toBe('Good day');
});

test('the agents of the README answer', async () => {
  const own = new DaemonHome();
  upstream = await Upstream.start();
  upstream.answer(({ body }) => sse([delta(`${String(body?.model)} says hello`), finish(), DONE]));
  own.configure(blocks('yaml')[0]!.replace('http://127.0.0.1:11434/v1', `${upstream.url}/v1`));
  const commands = blocks('sh').find((block) => block.startsWith('bin/cli "'))!;
  const { stdout } = await run('sh', ['-c', commands], { cwd: root, env: own.environment() });
  expect(stdout).toBe('llama3.2 says hello\nllama3.2:3b says hello\n');
  const asked = upstream.requests.map(({ body }) => JSON.stringify(body?.messages));
  expect(asked[0]).toContain('Name three uses of a paper clip');
  expect(asked[1]).toContain('Sum this up in one line\\n\\n# Drivebay');
});

test('every command that the README lists exists', async () => {
  const listed = [...readme.matchAll(/^\| `bin\/cli ([a-z ]+)/gm)].map((match) => match[1]!.trim());
  expect(listed.length).toBeGreaterThan(4);
  for (const command of listed) {
    const { code } = await runCli([...command.split(' '), '--help'], { env: home.environment() });
    expect({ command, code }).toEqual({ command, code: 0 });
  }
});
