import { existsSync, readFileSync } from 'node:fs';
import { join } from 'node:path';
import { ClientStage, TEXT } from '../setup/client-stage';
import { clientBlock, clientRows, clientSections } from './client-page';

const root = join(__dirname, '../..');
let stage: ClientStage;

beforeAll(async () => {
  stage = await ClientStage.start();
});

afterAll(() => stage.end());

test.each(['openai for Node', 'Vercel AI SDK'])('the code for %s streams an answer', async (section) => {
  const code = clientBlock(section, 'js', stage.gateway.url);
  expect(await stage.runModule(code, root)).toEqual({ code: 0, stdout: TEXT, stderr: '' });
  expect(stage.chats.at(-1)).toMatchObject({ model: 'm-1', stream: true });
});

test('the code for embeddings gets vectors', async () => {
  const code = clientBlock('openai for Node', 'javascript', stage.gateway.url);
  expect(await stage.runModule(code, root)).toEqual({ code: 0, stdout: '[ 2, 2 ]\n', stderr: '' });
});

test('the command for curl streams an answer, and without its stream gets one', async () => {
  const command = clientBlock('curl', 'sh', stage.gateway.url);
  const streamed = await stage.run(command);
  expect(streamed.stdout.match(/"content":"[^"]+"/g)!.join()).toBe('"content":"Grü","content":"ße from the model."');
  expect(streamed.stdout.trimEnd().endsWith('data: [DONE]')).toBe(true);
  const single = await stage.run(command.replace('"stream": true, ', ''));
  expect(JSON.parse(single.stdout)).toMatchObject({ choices: [{ message: { content: TEXT } }] });
});

test('the variables of the openai SDK are enough for a program that names no endpoint', async () => {
  const code = clientBlock('openai for Node', 'js', stage.gateway.url).replace(/new OpenAI\(.*?\)/, 'new OpenAI()');
  const env = { CODE: code, OPENAI_BASE_URL: `${stage.gateway.url}/v1`, OPENAI_API_KEY: 'unused' };
  const { stdout } = await stage.run('node --input-type=module -e "$CODE"', { cwd: root, env });
  expect(stdout).toBe(TEXT);
});

test('the table has a row for each section', () => {
  expect(clientRows().map(({ name }) => name)).toEqual(clientSections());
  for (const { name, anchor } of clientRows()) expect(anchor).toBe(name.toLowerCase().replaceAll(' ', '-'));
});

/** The version that is installed is in a lock file of npm, or in a file of requirements. */
const packages: Record<string, { name: string; tests: string; folder?: string; requirements?: string }> = {
  'openai for Node': { name: 'openai', tests: 'gateway/dialects/chat-completions/openai-sdk.test.ts' },
  'openai for Python': {
    name: 'openai',
    tests: 'real-clients/python-sdks.test.ts',
    requirements: 'test/real-clients/requirements.txt',
  },
  'Vercel AI SDK': { name: 'ai', tests: 'gateway/dialects/chat-completions/ai-sdk.test.ts' },
  LangChain: { name: '@langchain/openai', tests: 'real-clients/langchain.test.ts', folder: 'test/real-clients' },
  'Claude Code': {
    ...{ name: '@anthropic-ai/claude-code', tests: 'real-clis/launch.test.ts', folder: 'test/real-clis' },
  },
  Codex: { name: '@openai/codex', tests: 'real-clis/codex-as-client.test.ts', folder: 'test/real-clis' },
  'Qwen Code': { name: '@qwen-code/qwen-code', tests: 'real-clis/launch.test.ts', folder: 'test/real-clis' },
  opencode: { name: 'opencode-ai', tests: 'real-clients/opencode.test.ts', folder: 'test/real-clients' },
  Cline: { name: 'cline', tests: 'real-clients/cline.test.ts', folder: 'test/real-clients' },
  Continue: { name: '@continuedev/cli', tests: 'real-clients/continue.test.ts', folder: 'test/real-clients' },
};

test('a client whose row says "test" has one, with the version that is installed for it', () => {
  const tested = clientRows().filter(({ name, tried }) => tried === 'test' && name !== 'curl');
  expect(tested.map(({ name }) => name)).toEqual(Object.keys(packages));
  for (const { name: client, version } of tested) {
    const { name, tests, folder = '.', requirements } = packages[client]!;
    expect(existsSync(join(root, 'test', tests))).toBe(true);
    const installed = requirements === undefined ? lockedVersion(folder, name) : requiredVersion(requirements, name);
    expect({ client, version: installed }).toEqual({ client, version });
  }
});

interface Lock {
  packages: Record<string, { version: string }>;
}

function lockedVersion(folder: string, name: string): string | undefined {
  const lock = JSON.parse(readFileSync(join(root, folder, 'package-lock.json'), 'utf8')) as Lock;
  return lock.packages[`node_modules/${name}`]?.version;
}

function requiredVersion(file: string, name: string): string | undefined {
  return new RegExp(`^${name}==(.+)$`, 'm').exec(readFileSync(join(root, file), 'utf8'))?.[1];
}

test('who is not tested was tried by hand, with the day', () => {
  for (const { tried } of clientRows()) expect(tried).toMatch(/^(test|by hand, \d{4}-\d{2}-\d{2})$/);
});
