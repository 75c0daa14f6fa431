import { readFileSync } from 'node:fs';
import { join } from 'node:path';
import { errorKinds } from '../../core/contract/driver-error';
import { repository } from '../setup/repository';

test('the table in the documentation names every kind, each once, and no other', () => {
  const page = readFileSync(join(repository, 'docs/gateway.md'), 'utf8');
  const table = page.slice(page.indexOf('| `details.kind` |')).split('\n\n')[0] ?? '';
  const [, , ...rows] = table.split('\n');
  const named = rows.flatMap((row) => [...(row.split('|')[1] ?? '').matchAll(/`(\w+)`/g)].map(([, kind]) => kind));
  expect(named.toSorted()).toEqual([...errorKinds].sort());
});

test('the contract explains every kind that is no code', () => {
  const contract = readFileSync(join(repository, 'core/contract/api.ts'), 'utf8');
  for (const kind of errorKinds) expect(contract).toMatch(new RegExp(`^ \\* .*\`${kind}\``, 'm'));
});
