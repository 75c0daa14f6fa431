import { readdirSync, readFileSync } from 'node:fs';
import { join } from 'node:path';
import { z } from '../../core/config/zod-parts';

const core = join(__dirname, '../../core');

test('the bundle has every part of zod that core calls, and no other', () => {
  const files = readdirSync(core, { recursive: true, encoding: 'utf8' }).filter((file) => file.endsWith('.ts'));
  const texts = files
    .map((file) => readFileSync(join(core, file), 'utf8'))
    .filter((text) => text.includes("from 'zod'"));
  // `z.core` has types only.
  const call = /\bz\s*\.(?!core\b)(\w+)(?:<[^()]*>)?[(.]/g;
  const calls = texts.flatMap((text) => [...text.matchAll(call)].map(([, name]) => name));
  expect(Object.keys(z)).toEqual([...new Set(calls)].sort());
});
