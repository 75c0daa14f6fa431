import { execFile } from 'node:child_process';
import { readFileSync } from 'node:fs';
import { join, resolve } from 'node:path';
import { promisify } from 'node:util';
import { DaemonHome } from './setup/daemon-home';
import { runCli } from './setup/run-cli';
import { RunningGateway } from './setup/running-gateway';
import { tempHome } from './setup/temp-home';
import { delta, DONE, finish, json, posts, sse, Upstream } from './setup/upstream';

const run = promisify(execFile);
const root = resolve(__dirname, '..');
/** As a reader of the clone sees it: its comments are for the package's. */
const readme = readFileSync(join(root, 'README.md'), 'utf8').replace(/<!--[^]*?-->\n/g, '');
const home = tempHome();

/** The code blocks of a language, in order. */
function blocks(language: string): string[] {
  return [...readme.matchAll(new RegExp('```' + language + '\n([^]*?)```', 'g'))].map((match) => match[1]!);
}

/** What other tests, or CI, run: they install packages, or need a browser or somebody who answers. */
const RUN_ELSEWHERE = ['npm ci && bin/cli serve --demo', ...['bin/cli init', 'bin/cli serve', 'bin/cli dashboard']];

/** The lines of the shell blocks that tests here have run. */
const ran = new Set<string>();
const commandsIn = (block: string) => block.trim().split(/(?<!\\)\n/);

/** Runs the shell block that begins so. */
async function runBlock(start: string, env: Record<string, string>, change = (script: string) => script) {
  const block = blocks('sh').find((each) => each.startsWith(start))!;
  const commands = commandsIn(block).filter((command) => !RUN_ELSEWHERE.includes(command));
  commands.forEach((command) => ran.add(command));
  try {
    const { stdout } = await run('sh', ['-c', change(commands.join('\n'))], { cwd: root, env });
    return { code: 0, stdout };
  } catch (error) {
    return error as { code: number; stdout: string };
  }
}

let gateway: RunningGateway | undefined;
let upstream: Upstream | undefined;

afterEach(async () => {
  await gateway?.stop();
  await upstream?.close();
});

test('the first curl and the client of the README get an answer from serve --demo', async () => {
  gateway = await RunningGateway.start(['--demo'], { env: home.environment() });
  const here = (text: string) => text.replaceAll('127.0.0.1:8080', `127.0.0.1:${gateway!.port}`);
  const { stdout } = await runBlock('curl', home.environment(), here);
  expect(JSON.parse(stdout).choices[0].message.content).toBe('Hello');
  const client = await run(process.execPath, ['--input-type=module', '-e', here(blocks('js')[0]!)], { cwd: root });
  expect(client.stdout).toBe('Hello');
});

test('the providers.yaml of the README is valid; doctor says of it what the README says, until that is mended', async () => {
  home.configure(blocks('yaml')[0]!);
  const env = home.environment();
  const check = await runCli(['config', 'check'], { env });
  expect(check).toMatchObject({ code: 0, stderr: '' });
  expect(check.stdout).toContain('1 provider, 0 warnings');
  const shown = blocks('text')[0]!.replace('~', home.directory);
  expect(await runBlock('bin/cli doctor', env)).toMatchObject({ code: 1, stdout: shown });

  upstream = await Upstream.start();
  upstream.answer(() => json({ data: [{ id: 'llama-3.3-70b-versatile' }] }));
  home.configure(blocks('yaml')[0]!.replace('https://api.groq.com/openai', upstream.url));
  const mended = home.environment({ GROQ_API_KEY: 'a-key-of-groq' });
  expect(await runBlock('bin/cli doctor', mended)).toMatchObject({ code: 0 });
  const status = await runCli(['providers', 'status'], { env: mended });
  expect(status.stdout).toMatch(/^groq +http +healthy +llama-3.3-70b-versatile/m);
});

test('the agents of the README answer, and their records are there', async () => {
  const own = new DaemonHome();
  upstream = await Upstream.start();
  upstream.answer(({ body }) => sse([delta(`${String(body?.model)} says hello`), finish(), DONE]));
  own.configure(blocks('yaml')[0]!.replace('https://api.groq.com/openai', upstream.url));
  const env = own.environment({ GROQ_API_KEY: 'a-key-of-groq' });
  const { stdout } = await runBlock('bin/cli "', env);
  expect(stdout).toBe('llama-3.3-70b-versatile says hello\n'.repeat(2));
  const asked = posts(upstream).map(({ body }) => JSON.stringify(body?.messages));
  expect(asked[0]).toContain('Name three uses of a paper clip');
  expect(asked[1]).toContain('Sum this up in one line\\n\\n# Drivebay');
  const records = await runBlock('bin/cli ps', env);
  expect(records.stdout).toContain('Name three uses');
  expect(records.stdout).toContain('says hello');
});

test('every command of a block is run, by a test above or elsewhere', () => {
  const commands = blocks('sh').flatMap(commandsIn);
  expect(commands.length).toBeGreaterThan(8);
  expect(commands.filter((command) => !ran.has(command) && !RUN_ELSEWHERE.includes(command))).toEqual([]);
});

test('every command that the text names exists', async () => {
  const named = [...readme.matchAll(/`bin\/cli ([a-z ]+)/g)].map((match) => match[1]!.trim());
  expect(named).toContain('providers status');
  for (const command of named) {
    const { code } = await runCli([...command.split(' '), '--help'], { env: home.environment() });
    expect({ command, code }).toEqual({ command, code: 0 });
  }
});

test('the README is short', () => {
  expect(readme.split('\n').length).toBeLessThanOrEqual(100);
});
