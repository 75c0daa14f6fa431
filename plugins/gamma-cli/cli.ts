import { realpath } from 'node:fs/promises';
import { basename } from 'node:path';
import type { DriverContext } from 'drivebay/plugin';
import { askProgram, flagsIn } from '../_shared/cli/ask-program';

/** The program, as far as it decides about its arguments. Its output is told apart by its form alone. */
export interface Cli {
  path: string;
  dialect: 'gemini' | 'qwen';
  /** The flags that it knows, among those that not every version has. */
  flags: ReadonlySet<string>;
  /** Whether it has the name of a program that we know: a wrapper may not speak every protocol. */
  isKnown: boolean;
}

const HELP_LIMIT_MS = 5_000;
/** The programs of these names are not asked for their flags: that would cost a second or two of the first call. */
const KNOWN: readonly [name: RegExp, dialect: Cli['dialect'], flags: readonly string[]][] = [
  [/gemini/i, 'gemini', ['--approval-mode', '--extensions']],
  [
    /qwen/i,
    'qwen',
    ['--include-partial-messages', '--auth-type', '--bare', '--exclude-tools', '--approval-mode', '--mcp-config'],
  ],
];

/** Finds out what a program is: by its name, else by its help. Without a help it gets only flags that every version has. */
export async function identify(context: Pick<DriverContext, 'spawn' | 'log'>, path: string): Promise<Cli> {
  const names = [basename(path), basename(await realpath(path))];
  const [, dialect, known] = KNOWN.find(([name]) => names.some((each) => name.test(each))) ?? [];
  if (dialect) return { path, dialect, flags: new Set(known), isKnown: true };
  const help = askProgram(context, path, ['--help'], AbortSignal.timeout(HELP_LIMIT_MS));
  const { output } = await help.catch((error: Error) => {
    const message = `"${path} --help" does not answer: it gets no flag that some versions lack`;
    context.log.warn(message, { reason: error.message });
    return { output: '' };
  });
  const flags = flagsIn(output);
  return { path, dialect: flags.has('--include-partial-messages') ? 'qwen' : 'gemini', flags, isKnown: false };
}
