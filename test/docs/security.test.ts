import { existsSync, readFileSync } from 'node:fs';
import { join } from 'node:path';
import { repository } from '../setup/repository';

const read = (file: string) => readFileSync(join(repository, file), 'utf8');
const attacks = read('SECURITY.md').split('\n## Attacks that were tried\n')[1]!;
const rows = attacks.split('\n').filter((line) => line.startsWith('| ') && !line.startsWith('| attack |'));

/** Whether a file has the sentence as the whole text of a literal, as the name of a test is. */
function hasSentence(file: string, sentence: string): boolean {
  const text = read(file).replaceAll("\\'", "'");
  return ["'", '"', '`'].some((quote) => text.includes(quote + sentence + quote));
}

test('every attack of SECURITY.md names a test that exists, by its file and its sentence', () => {
  const wrong = rows.filter((row) => {
    const [, name, sentence] = /^.*\| `([\w/.-]+)`: (.+) \|$/.exec(row) ?? [];
    const files = [`test/${name}.test.ts`, `test/${name}.slow.test.ts`];
    const file = files.find((each) => existsSync(join(repository, each)));
    return sentence === undefined || file === undefined || !hasSentence(file, sentence);
  });
  expect(wrong).toEqual([]);
  expect(rows.length).toBeGreaterThan(100);
});

test('no attack is listed twice', () => {
  expect(new Set(rows.map((row) => row.split(' | ')[0])).size).toBe(rows.length);
});

test('every file of attacks is in the list', () => {
  for (const name of ['gateway/attacks', 'daemon/control/attacks', 'gateway/clients/veil', 'devices/mcp/hostile']) {
    expect(attacks).toContain(`\`${name}\``);
  }
});
