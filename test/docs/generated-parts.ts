import { readFileSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { repository } from '../setup/repository';

/**
 * Tests that the parts of a page between `<!-- name -->` and `<!-- /name -->` are what the code says, and that no part is
 * marked that nobody makes. With UPDATE_DOCS=1 they are written anew.
 */
export function testGeneratedParts(page: string, parts: Record<string, () => string>): void {
  const file = join(repository, page);

  test.each(Object.keys(parts))(
    `the part %s of ${page} is what the code has: write it anew with UPDATE_DOCS=1`,
    (name) => {
      const text = readFileSync(file, 'utf8');
      const place = new RegExp(`(?<=<!-- ${name} -->\n\n)[^]*(?=\n\n<!-- /${name} -->)`);
      expect(text).toMatch(place);
      const fresh = text.replace(place, () => parts[name]!());
      if (process.env.UPDATE_DOCS) writeFileSync(file, fresh);
      else expect(text).toBe(fresh);
    },
  );

  test(`every marked part of ${page} is generated`, () => {
    const marks = [...readFileSync(file, 'utf8').matchAll(/<!-- ([\w-]+) -->/g)].map((match) => match[1]);
    expect(marks.sort()).toEqual(Object.keys(parts).sort());
  });
}
