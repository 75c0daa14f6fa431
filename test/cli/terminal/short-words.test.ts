import { shortWords } from '../../../core/cli/terminal/short-words';
import { formatTable } from '../../../core/cli/terminal/table';
import { TempHome } from '../../setup/temp-home';

const home = new TempHome();
const LONG = 'x'.repeat(100_000);
const SHORT = `${'x'.repeat(200)}... (100000 characters)`;

test('a word that no terminal can show is cut, and the words around it stay', () => {
  expect(shortWords(`error: there is no provider "${LONG}"\n  providers: a, b`)).toBe(
    `error: there is no provider "${'x'.repeat(199)}... (100002 characters)\n  providers: a, b`,
  );
  const path = `/${'folder/'.repeat(100)}file`;
  expect(shortWords(path)).toBe(path);
});

test('a cell of a table is cut', () => {
  expect(formatTable(['Model', 'Context'], [[LONG, '8']])).toBe(
    `${'Model'.padEnd(SHORT.length)}  Context\n${SHORT}  8`,
  );
});

test.each([
  ['models', LONG],
  ['hi', '--provider', LONG],
  ['docs', LONG],
  ['trace', LONG],
  ['config', LONG],
  ['usage', '--by', LONG],
  [`--${LONG}`, 'hi'],
  ['serve', '--api-key-env', LONG],
  ['plugins', 'new', LONG],
  ['plugins', 'check', LONG],
])('%.20s %.20s %.20s: the message is no longer than a screen', async (...words) => {
  home.providers('name: polly, driver: openai-compatible, base_url: "http://127.0.0.1:9/v1"');
  const { code, stdout, stderr } = await home.run(...words);
  expect([code === 0, stdout]).toEqual([false, '']);
  expect(stderr).toContain('... (100');
  expect(stderr.length).toBeLessThan(1_000);
});
