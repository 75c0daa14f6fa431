import { readdirSync, readFileSync } from 'node:fs';
import { isBuiltin } from 'node:module';
import { join } from 'node:path';
import { repository } from '../setup/repository';

const dist = join(repository, 'dist');

/** `ws` does without the first two. The Redis client wants the last one for a command that is never sent. */
const OPTIONAL = ['bufferutil', 'utf-8-validate', '@node-rs/xxhash'];

test('the build has every package in it: an installation brings none', () => {
  const files = readdirSync(dist, { recursive: true, encoding: 'utf8' }).filter((file) => /\.js$/.test(file));
  expect(files.length).toBeGreaterThan(15);
  const outside = files
    .filter((file) => !file.startsWith('dashboard/'))
    .flatMap((file) => {
      const names = readFileSync(join(dist, file), 'utf8').matchAll(/\b(?:require|import)\("([^".][^"]*)"\)/g);
      return [...names]
        .map(([, name = '']) => name)
        .filter((name) => !isBuiltin(name) && !name.startsWith('node:') && !OPTIONAL.includes(name));
    });
  expect(outside).toEqual([]);
});

test('the notice has every package that is compiled in, with a licence that allows it and its text', () => {
  const [, ...entries] = readFileSync(join(dist, 'THIRD-PARTY.txt'), 'utf8').split(`\n${'='.repeat(80)}\n\n`);
  const { dependencies } = JSON.parse(readFileSync(join(repository, 'package.json'), 'utf8')) as {
    dependencies: Record<string, string>;
  };
  const heads = entries.map((entry) => /^(\S+) \S+: (.+?)(?:, by .*)?\n/.exec(entry));
  expect(heads.map((head) => head?.[1])).toEqual(expect.arrayContaining([...Object.keys(dependencies), 'preact']));
  const licences = new Set(heads.map((head) => head?.[2]));
  expect([...licences].sort()).toEqual(['Apache-2.0', 'BSD-2-Clause', 'BSD-3-Clause', 'ISC', 'MIT', 'Unlicense']);
  const withoutText = entries.filter((entry) => entry.trim().split('\n').length < 5);
  // These are published without it; the name of the licence is there.
  const names = withoutText.map((entry) => entry.split(' ')[0]);
  expect(names.sort()).toEqual(['@redis/client', 'data-uri-to-buffer', 'standardwebhooks']);
});
