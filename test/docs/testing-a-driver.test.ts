import { execFile } from 'node:child_process';
import { mkdirSync, readFileSync, symlinkSync } from 'node:fs';
import { join } from 'node:path';
import { promisify } from 'node:util';
import ts from 'typescript';
import { repository } from '../setup/repository';
import { TempHome } from '../setup/temp-home';

const run = promisify(execFile);
const home = new TempHome();
afterAll(() => home.remove());

/** As far as one is needed that speaks as the page's first example says. */
const PARROT = `
  module.exports = (context) => {
    async function ask(path, call, body) {
      const headers = { 'x-api-key': context.requireApiKey(), 'content-type': 'application/json' };
      const response = await context.http.request(context.options.base_url.replace(/\\/$/, '') + path, { headers, signal: call.signal, body });
      if (response.status !== 200) throw await response.error();
      return response;
    }
    function parse(data) {
      try { return JSON.parse(data); } catch (cause) { throw context.error('protocol', 'no JSON', { cause }); }
    }
    return {
      async *chat(request, call) {
        const { model, messages } = request;
        const texts = [context.layoutPrompt(messages).prompt];
        const response = await ask('/chat', call, JSON.stringify({ model, texts, stream: true }));
        yield { type: 'meta', ignored: context.ignoredFields(request) };
        for await (const data of response.events()) {
          const { text, finish, input, output } = parse(data);
          if (text) yield { type: 'text', text };
          if (!finish) continue;
          yield { type: 'usage', inputTokens: input, outputTokens: output };
          return yield { type: 'finish', reason: finish };
        }
        throw context.error('protocol', 'cut short');
      },
      async check(call) { await (await ask('/models', call)).text(); },
    };
  };
`;

const page = readFileSync(join(repository, 'docs/testing-a-driver.md'), 'utf8');
const examples = [...page.matchAll(/^```(\w*)\n([^]*?)^```$/gm)].map((match) => [match[1], match[2]!] as const);
const directory = home.plugin('parrot', {
  code: PARROT,
  manifest: { options: { base_url: {}, api_key_env: {} }, required: ['base_url'] },
});

/** Runs an example beside the driver, with the package installed there. */
async function runExample(index: number, ...flags: string[]): Promise<string> {
  const { outputText } = ts.transpileModule(examples[index]![1], {
    compilerOptions: { module: ts.ModuleKind.ESNext, target: ts.ScriptTarget.ES2023 },
  });
  home.write(`.config/drivebay/plugins/parrot/example-${index}.mjs`, outputText);
  const words = [...flags, `example-${index}.mjs`];
  const { stdout } = await run(process.execPath, words, { cwd: directory, env: home.environment() });
  return stdout;
}

beforeAll(() => {
  mkdirSync(join(directory, 'node_modules'));
  symlinkSync(repository, join(directory, 'node_modules/drivebay'));
});

test('there is no example that is not run', () => {
  expect(examples.map(([language]) => language)).toEqual(['ts', 'ts', 'ts']);
});

test('the cases run as the page has it, and all pass for a driver that speaks so', async () => {
  const output = await runExample(0, '--test', '--test-reporter=tap');
  expect(output).toMatch(/^# fail 0$/m);
  expect(Number(/^# pass (\d+)$/m.exec(output)?.[1])).toBeGreaterThan(40);
  expect(output).toContain('# SKIP the manifest does not declare the capability tools');
});

test('the fake server cuts, stalls and sees the client leave', async () => {
  expect(await runExample(1)).toMatch(/^cut: TypeError: terminated\nleft\nGET 0\n$/);
});

test('the fake CLI does its steps and tells of its run', async () => {
  const output = await runExample(2);
  expect(output).toContain('"text":"You said Hello"');
  expect(output).toContain("[ '--json' ] Hello");
});
