import { existsSync } from 'node:fs';
import { dirname } from 'node:path';
import { codeOf, HintedError, messageOf } from '../errors';
import { isDiskFull } from '../paths';

/** Why a file where the user wants it cannot be written. `elsewhere`: how the user chooses another folder. */
export function explainWrite(path: string, error: unknown, elsewhere: string): HintedError {
  const missing = codeOf(error) === 'ENOENT' ? missingFolder(path) : undefined;
  if (missing !== undefined) {
    const hint = `make it: mkdir -p '${dirname(path)}'; or ${elsewhere}`;
    return new HintedError(`${path} cannot be written: there is no folder ${missing}`, hint);
  }
  const hint = isDiskFull(error) ? `free space on its disk, or ${elsewhere}` : elsewhere;
  // Node names the operation and the path behind the reason, or no path at all.
  return new HintedError(`${path} cannot be written: ${messageOf(error).split(', ')[0]}`, hint);
}

/** The topmost folder of a path that does not exist. */
function missingFolder(path: string): string | undefined {
  let missing: string | undefined;
  for (let folder = dirname(path); !existsSync(folder) && folder !== dirname(folder); folder = dirname(folder)) {
    missing = folder;
  }
  return missing;
}
