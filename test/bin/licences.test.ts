import { mkdirSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { repository } from '../setup/repository';
import { tempFolder } from '../setup/temp-folder';

interface Licences {
  compiledIn: (root: string) => string[];
  forbidden: (root: string) => string[];
  isAllowed: (licence: string) => boolean;
}

const { compiledIn, forbidden, isAllowed } = jest.requireActual<Licences>('../../bin/licences.js');

test('no package of a release has a licence that asks for more than its text', () => {
  expect(forbidden(repository)).toEqual([]);
});

test('packages that are compiled in count, also those of the build; tools do not', () => {
  const root = tempFolder();
  const packages = {
    '': { license: 'MIT' },
    'node_modules/good': { version: '1.0.0', license: '(MIT OR GPL-3.0-only)' },
    'node_modules/bad': { version: '2.0.0', license: 'GPL-3.0-only' },
    'node_modules/bad/node_modules/@a/none': { version: '3.0.0' },
    'node_modules/tool': { version: '4.0.0', license: 'AGPL-3.0', dev: true },
    'node_modules/page': { version: '5.0.0', license: 'AGPL-3.0', dev: true },
  };
  writeFileSync(join(root, 'package-lock.json'), JSON.stringify({ packages }));
  expect(forbidden(root)).toEqual(['bad@2.0.0 (GPL-3.0-only)', '@a/none@3.0.0 (no licence)']);
  mkdirSync(join(root, 'dist'));
  const notice = `Head.\n\n${'='.repeat(80)}\n\npage 5.0.0: AGPL-3.0\n\nIts text.\n`;
  writeFileSync(join(root, 'dist/THIRD-PARTY.txt'), notice);
  expect(compiledIn(root)).toEqual(['page@5.0.0']);
  expect(forbidden(root)).toContain('page@5.0.0 (AGPL-3.0)');
});

test.each([
  ['MIT', true],
  ['MIT AND Apache-2.0', true],
  ['MIT AND GPL-2.0', false],
  ['UNLICENSED', false],
])('%s: %p', (licence, expected) => {
  expect(isAllowed(licence)).toBe(expected);
});
