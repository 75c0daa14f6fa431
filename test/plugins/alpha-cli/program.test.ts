import { chmodSync } from 'node:fs';
import { join } from 'node:path';
import type { DriverFailure } from 'drivebay/plugin';
import { resolveBinary } from '../../../plugins/alpha-cli/program';
import type { Options } from '../../../plugins/alpha-cli/environment';
import { OpenContext } from '../../setup/open-context';
import { DEFAULTS } from './harness';

let open: OpenContext<Options>;
afterEach(() => open.close());

const OPTIONS: Options = { ...DEFAULTS, permission_mode: '' };

/** Looks for the program in a home with these files; its `bin` is the whole PATH. */
async function find(files: string[], command?: string, mode = 0o755): Promise<string> {
  open = new OpenContext<Options>('alpha-cli', { ...OPTIONS, ...(command !== undefined && { command }) }, (home) => ({
    PATH: join(home, 'bin'),
  }));
  for (const file of files) chmodSync(open.home.write(file, '#!/bin/sh\n'), mode);
  return (await resolveBinary(open.context)).replace(`${open.home.directory}/`, '');
}

// Where a program is looked for is a matter of core.
it.each<[string, string[], string | undefined]>([
  ['bin/claude', ['bin/claude', 'bin/openclaude', '.local/bin/claude'], undefined],
  ['bin/openclaude', ['bin/openclaude', '.local/bin/claude'], undefined],
  ['bin/mine', ['bin/mine', 'bin/claude'], 'mine'],
  ['bin/openclaude', ['bin/claude', 'bin/openclaude'], 'mine'],
  ['.bun/bin/openclaude', ['.bun/bin/openclaude'], undefined],
])('%s is taken of %j with command %s', async (expected, files, command) => {
  expect(await find(files, command)).toBe(expected);
});

it.each([
  [undefined, 'claude, openclaude'],
  ['mine', 'mine, openclaude'],
  ['openclaude', 'openclaude'],
])('names what it has tried for command %s', async (command, names) => {
  const failure = await find([], command).catch((error: unknown) => error as DriverFailure);
  expect(failure).toMatchObject({ code: 'not_installed', kind: 'binary_missing' });
  expect((failure as DriverFailure).message).toContain(
    `no compatible CLI found in PATH, tried ${names} (looked on the PATH, `,
  );
  expect((failure as DriverFailure).hint).toMatch(/npm install -g .*, or set command/);
});

it('says when the program is there and may not be run', async () => {
  const failure = await find(['bin/claude'], undefined, 0o644).catch((error: unknown) => error);
  expect(failure).toMatchObject({
    ...{ code: 'not_installed', kind: 'binary_not_executable', hint: expect.stringMatching(/^run: chmod \+x '/) },
    message: expect.stringMatching(
      /^no compatible CLI found in PATH, tried claude, openclaude; not executable: \/.*\/bin\/claude$/,
    ),
  });
});
