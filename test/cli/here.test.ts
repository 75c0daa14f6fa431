import { chmodSync, mkdirSync } from 'node:fs';
import { dirname } from 'node:path';
import { LiveCli } from '../setup/live-cli';
import { cliPath } from '../setup/run-cli';
import { tempHome } from '../setup/temp-home';

const home = tempHome();
const place = `${home.directory}/place`;
const COMMANDS = [
  [['ps']],
  [['say hello to me']],
  [['config', 'check', 'a.yaml']],
  [['plugins', 'check', '.']],
  [['plugins', 'new', 'parrot', '--kind', 'http']],
];

/** What a command says, and its exit code, where a shell has gone into a folder before. */
async function sayIn(enter: string, words: readonly string[], as: readonly string[] = []) {
  const command = ['sh', '-c', `${enter} && exec "$@"`, 'sh', ...as, process.execPath, cliPath];
  // Node 26 itself ends with an error, where it is to load a module of the tests from such a folder.
  const env = home.environment({ PLACE: place, NODE_OPTIONS: '' });
  return new LiveCli([...words], { env }, command).endInput().end();
}

const ended = (reason: string) => ({
  code: 2,
  stdout: '',
  stderr: `error: the working directory ${reason}\n  change to another folder and try again\n`,
});

test.each(COMMANDS)('in a folder that was removed, %j says so', async (words) => {
  const enter = 'mkdir "$PLACE" && cd "$PLACE" && rmdir "$PLACE"';
  expect(await sayIn(enter, words)).toEqual(ended('does not exist any more'));
});

// Root may enter every folder, and only root may become another user.
(process.platform === 'linux' && process.getuid?.() === 0 ? test : test.skip).each(COMMANDS)(
  'in a folder that the user may not enter, %j says so',
  async (words) => {
    for (const folder of [home.directory, dirname(home.directory)]) chmodSync(folder, 0o711);
    mkdirSync(place, { recursive: true, mode: 0o700 });
    const as = ['setpriv', '--reuid', '54321', '--clear-groups'];
    expect(await sayIn('cd "$PLACE"', words, as)).toEqual(ended('may not be entered by this user'));
  },
);
