import { readdirSync, readFileSync } from 'node:fs';
import { join } from 'node:path';
import { gunzipSync } from 'node:zlib';

const folder = join(__dirname, '../../../dist/dashboard');

test('all files of the page have at most 100 kB in gzip, and are what they were compressed from', () => {
  const names = readdirSync(folder).filter((name) => name.endsWith('.gz'));
  expect(names).toEqual(expect.arrayContaining(['index.html.gz', 'page.js.gz', 'style.css.gz']));
  expect(names.length).toBe(readdirSync(folder).length / 2);
  const files = names.map((name) => readFileSync(join(folder, name)));
  expect(files.reduce((sum, { length }) => sum + length, 0)).toBeLessThanOrEqual(100_000);
  for (const [index, name] of names.entries()) {
    expect(gunzipSync(files[index]!).equals(readFileSync(join(folder, name.slice(0, -3))))).toBe(true);
  }
});
