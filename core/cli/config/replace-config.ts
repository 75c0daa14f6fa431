import { dirname } from 'node:path';
import { readDocument } from '../../config/document';
import type { ConfigSource } from '../../config/find-config';
import { writeNewFile } from '../../config/write-new-file';
import { withLock } from '../../daemon/socket/take-over-lock';
import { HintedError } from '../../errors';
import { makeFolder } from '../../make-folder';
import { explainFolder } from '../../paths';
import { explainWrite } from '../explain-write';
import { pathsHere } from '../here';

/** Gives a file of the configuration another text, in place of the one that was read. */
export async function replaceConfig({ file, document: read }: ConfigSource, text: string, isSecret = false) {
  try {
    makeFolder(dirname(file), 0o777);
    await withLock(`${file}.lock`, async () => {
      // Another command or an editor may have written since: its change would be lost.
      if (readDocument(file).text !== read.text)
        throw new HintedError(`nothing was written: ${file} has just been changed`, 'run the command again');
      await writeNewFile(file, text, { existing: 'replaced', isSecret });
    });
  } catch (error) {
    const paths = pathsHere();
    // No variable moves the folder of a project.
    if (dirname(file) === paths.projectFolder && !(error instanceof HintedError))
      throw explainWrite(file, error, 'leave --project out, so that your own file is written');
    throw explainFolder(error, paths, 'configHome');
  }
}
