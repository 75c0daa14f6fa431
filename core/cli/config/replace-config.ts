import { mkdir } from 'node:fs/promises';
import { dirname } from 'node:path';
import { readDocument } from '../../config/document';
import type { ConfigSource } from '../../config/find-config';
import { writeNewFile } from '../../config/write-new-file';
import { withLock } from '../../daemon/socket/take-over-lock';
import { HintedError } from '../../errors';
import { explainFolder } from '../../paths';
import { pathsHere } from '../here';

/** Gives a file of the configuration another text, in place of the one that was read. */
export async function replaceConfig({ file, document: read }: ConfigSource, text: string, isSecret = false) {
  try {
    await mkdir(dirname(file), { recursive: true });
    await withLock(`${file}.lock`, async () => {
      // Another command or an editor may have written since: its change would be lost.
      if (readDocument(file).text !== read.text)
        throw new HintedError(`nothing was written: ${file} has just been changed`, 'run the command again');
      await writeNewFile(file, text, { existing: 'replaced', isSecret });
    });
  } catch (error) {
    throw explainFolder(error, pathsHere(), 'configHome');
  }
}
