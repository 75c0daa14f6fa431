import { readFileSync } from 'node:fs';
import { join } from 'node:path';
import { z } from 'zod';
import { packageRoot } from '../core/package';
import { manifestSchema } from '../core/plugins/manifest';

test('docs/manifest.schema.json is what the code accepts: write it anew with `bin/cli schema --of manifest`', () => {
  const file = JSON.parse(readFileSync(join(packageRoot, 'docs', 'manifest.schema.json'), 'utf8'));
  expect(file).toEqual(JSON.parse(JSON.stringify(z.toJSONSchema(manifestSchema, { io: 'input' }))));
});
