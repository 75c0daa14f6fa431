import { execFileSync } from 'node:child_process';
import { mkdirSync, readFileSync, statSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { settingsScript } from '../../../core/cli/launch/print-settings';
import { tempHome } from '../../setup/temp-home';

const home = tempHome();

test('the script keeps its files from other users, and leaves the mask of the user to the program', () => {
  const folder = join(home.directory, 'my clients');
  const [made, kept] = [join(folder, 'new/settings.json'), join(folder, 'old.json')];
  mkdirSync(folder);
  writeFileSync(kept, 'earlier', { mode: 0o644 });
  const files = { 'new/settings.json': '{"key":"secret"}', 'old.json': '{}' };
  const script = settingsScript('sh', { environment: {}, args: ['-c', 'umask'], files }, folder, 'title');
  const shown = execFileSync('sh', ['-c', `umask 022\n${script}`], { encoding: 'utf8' });
  expect(shown.trim()).toMatch(/^0*22$/);
  expect([made, kept].map((file) => statSync(file).mode & 0o777)).toEqual([0o600, 0o600]);
  expect(readFileSync(made, 'utf8')).toBe('{"key":"secret"}\n');
  expect(readFileSync(kept, 'utf8')).toBe('{}\n');
});
