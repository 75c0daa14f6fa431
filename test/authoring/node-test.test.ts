import { spawn } from 'node:child_process';
import { once } from 'node:events';
import { mkdirSync, symlinkSync } from 'node:fs';
import { join } from 'node:path';
import { conformanceCases, httpBackend } from 'drivebay/testing';
import { repository } from '../setup/source-files';
import { TempHome } from '../setup/temp-home';
import { HTTP_DRIVER, HTTP_MANIFEST } from './sample-drivers';
import { sampleHttpWire } from './sample-wires';

/** What an author writes beside his driver: an ES module in plain JavaScript, with the kit from the installed package. */
const AUTHOR_TEST = `
import test from 'node:test';
import { conformanceCases, httpBackend, json, raw } from 'drivebay/testing';

const backend = httpBackend({
  cannot: { reasoning: 'there is none', toolCalls: 'there are none', signatures: 'there are none' },
  options: (url) => ({ base_url: url }),
  probe: ({ path }) => (path === '/health' ? raw(['ok']) : undefined),
  answer: ({ pieces, usage, finish }) => {
    const lines = [...pieces.map((text) => ({ text })), { usage: [usage.inputTokens, usage.outputTokens] }, { end: finish }];
    return raw(lines.map((line) => JSON.stringify(line) + '\\n'));
  },
  failure: ({ status, message }) => json({ error: { message } }, { status }),
  received: ({ body, headers }) => ({ ...body, key: headers.authorization?.replace('Bearer ', '') }),
});

for (const { id, name, excluded, run } of conformanceCases({ directory: import.meta.dirname, backend })) {
  test(id + ': ' + name, { skip: excluded }, run);
}
`;

const home = new TempHome();
afterAll(() => home.remove());

/** The driver as its author has it, with the built package installed beside it. */
function install(name: string, driver: string): string {
  const directory = home.plugin(name, {
    folder: `drivers/${name}`,
    main: './index.mjs',
    code: driver.replace('module.exports =', 'export default'),
    manifest: HTTP_MANIFEST,
  });
  home.write(`drivers/${name}/conformance.test.mjs`, AUTHOR_TEST);
  mkdirSync(join(directory, 'node_modules'));
  symlinkSync(repository, join(directory, 'node_modules/drivebay'));
  return directory;
}

async function runNodeTest(directory: string): Promise<{ code: number | null; output: string }> {
  const args = ['--test', '--test-reporter=tap', 'conformance.test.mjs'];
  const child = spawn(process.execPath, args, {
    cwd: directory,
    env: home.environment(),
    stdio: ['ignore', 'pipe', 'inherit'],
  });
  let output = '';
  child.stdout.setEncoding('utf8').on('data', (text: string) => (output += text));
  const [code] = (await once(child, 'close')) as [number | null];
  return { code, output };
}

const number = (output: string, what: string) => Number(new RegExp(`^# ${what} (\\d+)$`, 'm').exec(output)?.[1]);

test('an ES module in plain JavaScript passes under node --test, and what is excluded is reported as skipped', async () => {
  const directory = install('plain', HTTP_DRIVER);
  const cases = conformanceCases({ directory, backend: httpBackend(sampleHttpWire) });
  const { code, output } = await runNodeTest(directory);
  expect({ code, failed: number(output, 'fail') }).toEqual({ code: 0, failed: 0 });
  expect(number(output, 'skipped')).toBe(cases.filter(({ excluded }) => excluded).length);
  expect(number(output, 'pass')).toBe(cases.filter(({ excluded }) => !excluded).length);
  expect(output).toContain('# SKIP the manifest does not declare the capability tools');
});

test('a defect fails there, too, with a message that says what is wrong', async () => {
  const spoilt = HTTP_DRIVER.replace('reason: piece.end', "reason: 'stop'");
  const { code, output } = await runNodeTest(install('spoilt', spoilt));
  expect(code).toBe(1);
  expect(output).toMatch(/^not ok \d+ - answer\.finish-length/m);
  expect(number(output, 'fail')).toBe(1);
});
