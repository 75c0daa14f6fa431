import { readFileSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { allCases } from '../../core/authoring/conformance/all-cases';
import { repository } from '../setup/repository';
import { caseTable } from './case-table';

const file = join(repository, 'docs/testing-a-driver.md');
const TABLE = /(?<=<!-- cases -->\n\n)[^]*(?=\n\n<!-- \/cases -->)/;

test('the table of cases is what the code has: write it anew with UPDATE_DOCS=1', () => {
  const text = readFileSync(file, 'utf8');
  expect(text).toMatch(TABLE);
  const fresh = text.replace(TABLE, () => caseTable());
  if (process.env.UPDATE_DOCS) writeFileSync(file, fresh);
  else expect(text).toBe(fresh);
});

test('there are enough cases, and no id is given twice', () => {
  expect(allCases.length).toBeGreaterThanOrEqual(25);
  expect(new Set(allCases.map(({ id }) => id)).size).toBe(allCases.length);
});
