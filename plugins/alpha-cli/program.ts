import { basename } from 'node:path';
import type { DriverContext, DriverFailure } from 'drivebay/plugin';
import type { Options } from './options';

const DEFAULT = 'claude';
/** The open fork, with the same flags and events. */
const FALLBACK = 'openclaude';

/** The path of the program. Looked for each time, because an update may move it. */
export async function resolveBinary(context: DriverContext<Options>): Promise<string> {
  const names = [...new Set([context.options.command ?? DEFAULT, FALLBACK])];
  try {
    return await context.resolveBinary(names, { userFolders: true });
  } catch (cause) {
    const { code, kind, hint, message } = cause as DriverFailure;
    const failed = `no compatible CLI found in PATH, tried ${names.join(', ')}`;
    if (kind === 'binary_not_executable' && hint !== undefined) {
      throw context.error(code, `${failed}; ${message}`, { kind, hint, cause });
    }
    if (kind !== 'binary_missing') throw cause;
    const places = 'the PATH, ~/.local/bin, the newest Node of nvm, ~/.bun/bin';
    throw context.error(code, `${failed} (looked in ${places})`, {
      kind,
      hint: 'run: npm install -g @anthropic-ai/claude-code, or set command to its absolute path',
      cause,
    });
  }
}

/** Whether the program is not the one that the user has named. */
export function isSubstitute(binary: string, { command }: Options): boolean {
  return command !== undefined && basename(binary) !== basename(command);
}
