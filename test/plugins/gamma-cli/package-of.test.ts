import { mkdirSync, symlinkSync, writeFileSync } from 'node:fs';
import { dirname, join } from 'node:path';
import { neededNode } from '../../../plugins/gamma-cli/package-of';
import { tempFolder } from '../../setup/temp-folder';
import { start } from './harness';

const folder = tempFolder();
let installed = 0;

/** What Gemini CLI 0.61 and Qwen Code 0.24 end with on Node 18. */
const FLAGS =
  'SyntaxError: Invalid regular expression flags\n    at ModuleLoader.moduleStrategy (node:internal/x:1:1)\n';
const EXPORTS =
  "import { openAsBlob } from \"node:fs\";\nSyntaxError: The requested module 'node:fs' does not provide an export named 'openAsBlob'\n";
const threw = (version: string) => `TypeError: x.difference is not a function\n    at y\n\nNode.js v${version}\n`;

/** A program as npm installs it: a link into a package. */
function install(engines?: object): string {
  const root = join(folder, String((installed += 1)));
  const file = join(root, 'lib/node_modules/@qwen-code/qwen-code/dist/cli.js');
  mkdirSync(dirname(file), { recursive: true });
  writeFileSync(file, '');
  writeFileSync(join(dirname(file), '../package.json'), JSON.stringify({ name: 'x', engines }));
  mkdirSync(join(root, 'bin'));
  symlinkSync(file, join(root, 'bin/qwen'));
  return join(root, 'bin/qwen');
}

test.each([
  ['a syntax of a newer Node', FLAGS, '>=22.0.0'],
  ['a module of a newer Node', EXPORTS, '>=22.0.0'],
  ['a crash on a Node that the package does not want', threw('20.20.2'), '>=22.0.0'],
  ['a crash on a Node that it does want', threw('22.1.0'), undefined],
  ['no crash of Node', 'Segmentation fault\n', undefined],
])('after %s', async (_, stderr, expected) => {
  expect(await neededNode(install({ node: '>=22.0.0' }), stderr)).toBe(expected);
});

test('a package that does not say what it wants is not guessed at', async () => {
  expect(await neededNode(install(), threw('20.20.2'))).toBeUndefined();
  expect(await neededNode(install(), FLAGS)).toBe('in a newer version');
});

test('the user is told which Node the CLI needs, and what to do', async () => {
  const harness = await start({}, {}, 'qwen');
  writeFileSync(join(dirname(harness.cli.command), 'package.json'), '{"engines":{"node":">=22.0.0"}}');
  harness.cli.script([{ stderr: EXPORTS }, { exit: 1 }]);
  expect(await harness.failure()).toMatchObject({
    code: 'not_installed',
    kind: 'interpreter_missing',
    message: expect.stringMatching(
      /^qwen needs Node\.js >=22\.0\.0, and found an older one on the PATH \(.*openAsBlob/,
    ),
    hint: expect.stringContaining('install Node.js >=22.0.0'),
  });
  await harness.close();
});
