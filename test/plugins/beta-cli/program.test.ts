import { appendFileSync, chmodSync, existsSync, readFileSync } from 'node:fs';
import { join } from 'node:path';
import type { CliOptions } from '../../../plugins/_shared/cli/cli-run';
import { ProgramFinder } from '../../../plugins/beta-cli/program';
import { OpenContext } from '../../setup/open-context';
import { until } from '../../setup/until';
import { commandsOf } from '../../subprocess/open-programs';

let open: OpenContext<CliOptions>;
let finder: ProgramFinder;
afterEach(() => open.close());

const CURSOR = 'echo 2026.07.09-a3815c0';
const OTHER = 'echo "deploy-agent 4.2.0"';
const SILENT = ':';
const LOST = 'exec /usr/bin/env no-such-interpreter';

/** Writes programs, by their place in the home folder, whose `bin` is the whole PATH. */
function install(programs: Record<string, string>, command?: string, limitMs?: number): void {
  open = new OpenContext<CliOptions>(
    'beta-cli',
    { gateway_tools: false, ...(command !== undefined && { command }) },
    (home) => ({ PATH: join(home, 'bin') }),
  );
  finder = new ProgramFinder(open.context, limitMs);
  for (const [file, does] of Object.entries(programs)) {
    chmodSync(open.home.write(file, `#!/bin/sh\necho "$@" >> "$0.asked"\n${does}\n`), 0o755);
  }
}

async function find(): Promise<string> {
  return (await finder.find()).replace(`${open.home.directory}/`, '');
}

function askedOf(file: string): string[] {
  const log = join(open.home.directory, `${file}.asked`);
  return existsSync(log) ? readFileSync(log, 'utf8').trim().split('\n') : [];
}

test.each<[string, Record<string, string>]>([
  ['bin/agent', { 'bin/agent': CURSOR, 'bin/cursor-agent': CURSOR }],
  ['bin/agent', { 'bin/agent': '[ "$1" = --help ] && echo "Start the Cursor Agent"; exit 0' }],
  ['bin/cursor-agent', { 'bin/agent': OTHER, 'bin/cursor-agent': CURSOR }],
  ['bin/cursor-agent', { 'bin/agent': SILENT, 'bin/cursor-agent': CURSOR }],
  ['bin/cursor-agent', { 'bin/agent': 'echo "unknown flag: $1" >&2; exit 2', 'bin/cursor-agent': CURSOR }],
  ['bin/cursor-agent', { 'bin/agent': LOST, 'bin/cursor-agent': CURSOR }],
  ['.local/bin/cursor-agent', { 'bin/agent': OTHER, '.local/bin/agent': CURSOR, '.local/bin/cursor-agent': CURSOR }],
  ['bin/agent', { 'bin/agent': SILENT }],
  ['bin/agent', { 'bin/agent': `echo '{"type":"result"}'` }],
])('%s is taken of %j', async (expected, programs) => {
  install(programs);
  expect(await find()).toBe(expected);
});

test('another name than `agent` needs no proof', async () => {
  install({ 'bin/mine': OTHER, 'bin/cursor-agent': CURSOR }, 'mine');
  expect(await find()).toBe('bin/mine');
});

const MISSING = { code: 'not_installed', kind: 'binary_missing' };
const INSTALL = expect.stringMatching(/cursor\.com\/install.*set command/);

test.each<[string, Record<string, string>, string | undefined, object]>([
  [
    'one that says that it is something else',
    { 'bin/agent': OTHER },
    undefined,
    {
      ...MISSING,
      hint: INSTALL,
      message: expect.stringMatching(/agent is not the Cursor CLI \(it says: deploy-agent 4/),
    },
  ],
  [
    'one that is named, and says that it is something else: it is not replaced',
    { 'bin/agent': OTHER, 'bin/cursor-agent': CURSOR },
    'agent',
    { ...MISSING, message: expect.stringContaining('is not the Cursor CLI') },
  ],
  ['one that is named and not there: it is not replaced', { 'bin/agent': CURSOR }, '/no/such/agent', MISSING],
  ['one without its interpreter', { 'bin/agent': LOST }, undefined, { kind: 'interpreter_missing' }],
  [
    'none at all',
    {},
    undefined,
    { ...MISSING, hint: INSTALL, message: expect.stringContaining('agent, cursor-agent') },
  ],
])('no program: %s', async (_, programs, command, failure) => {
  install(programs, command);
  await expect(find()).rejects.toMatchObject(failure);
});

describe('an agent that hangs when it is asked what it is', () => {
  const HANGS = '/bin/sleep 60 & wait';

  test('is named, with how to look at it, and nothing of it is left', async () => {
    install({ 'bin/agent': HANGS }, undefined, 300);
    const path = `${open.home.directory}/bin/agent`;
    await expect(find()).rejects.toMatchObject({
      code: 'not_installed',
      kind: 'binary_broken',
      message: `${path} gave no answer to --version within 0.3 s`,
      hint: `run it by hand: ${path} --version; or set command to the program's path`,
    });
    await until(() => commandsOf(path).length === 0);
  });

  test('is passed over for cursor-agent, and keeps the next request waiting no more', async () => {
    // Time for a shell of a busy machine to note that it was asked.
    install({ 'bin/agent': HANGS, 'bin/cursor-agent': CURSOR }, undefined, 2_000);
    for (let request = 0; request < 3; request += 1) expect(await find()).toBe('bin/cursor-agent');
    expect(askedOf('bin/agent')).toEqual(['--version']);
  });
});

test('an agent is asked once, until its file changes', async () => {
  install({ 'bin/agent': CURSOR });
  await Promise.all([find(), find()]);
  await find();
  expect(askedOf('bin/agent')).toEqual(['--version']);
  appendFileSync(join(open.home.directory, 'bin/agent'), '# updated\n');
  await find();
  expect(askedOf('bin/agent')).toEqual(['--version', '--version']);
});
