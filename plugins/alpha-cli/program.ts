import type { DriverContext, DriverFailure } from 'drivebay/plugin';
import { findProgram } from '../_shared/cli/ask-program';
import type { Options } from './environment';

const DEFAULT = 'claude';
/** The open fork, with the same flags and events. */
const FALLBACK = 'openclaude';
const INSTALL = 'run: npm install -g @anthropic-ai/claude-code, or set command to its absolute path';

/** The path of the program. Looked for each time, because an update may move it. */
export async function resolveBinary(context: DriverContext<Options>): Promise<string> {
  const names = [...new Set([context.options.command ?? DEFAULT, FALLBACK])];
  try {
    return await findProgram(context, names, INSTALL);
  } catch (cause) {
    const { code, kind, hint, message } = cause as DriverFailure;
    // The fork is a bare name, so the message says where it was looked for.
    const why = kind === 'binary_missing' ? message.slice(message.indexOf(' (looked ')) : `; ${message}`;
    throw context.error(code, `no compatible CLI found in PATH, tried ${names.join(', ')}${why}`, {
      kind,
      hint,
      cause,
    });
  }
}
