import { mkdirSync } from 'node:fs';
import { join } from 'node:path';
import { explainWrite } from '../../core/cli/explain-write';
import { tempFolder } from '../setup/temp-folder';

const folder = tempFolder();
mkdirSync(join(folder, 'there'));
const elsewhere = 'look for another place';

test.each([
  [
    'a full disk',
    { code: 'ENOSPC', message: 'ENOSPC: no space left on device, write' },
    'there/file',
    'ENOSPC: no space left on device',
    `free space on its disk, or ${elsewhere}`,
  ],
  [
    'a folder of another user',
    { code: 'EACCES', message: "EACCES: permission denied, mkdir 'there/file'" },
    'there/file',
    'EACCES: permission denied',
    elsewhere,
  ],
  [
    'a folder that does not exist',
    { code: 'ENOENT', message: 'ENOENT: no such file' },
    'there/no/where/file',
    `there is no folder ${folder}/there/no`,
    `make it: mkdir -p '${folder}/there/no/where'; or ${elsewhere}`,
  ],
])('%s: says what, where, why, and what to do', (_, error, file, reason, hint) => {
  const path = join(folder, file);
  expect(explainWrite(path, error, elsewhere)).toMatchObject({
    message: `${path} cannot be written: ${reason}`,
    hint,
  });
});
