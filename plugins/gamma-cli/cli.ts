import { realpath } from 'node:fs/promises';
import { basename } from 'node:path';
import type { DriverContext } from 'drivebay/plugin';
import { askProgram, flagsIn } from '../_shared/cli/ask-program';
import { textOf } from '../_shared/fields';
import { packageOf } from './package-of';

/** The program, as far as it decides the arguments. Its output is recognised by its form alone. */
export interface Cli {
  path: string;
  dialect: 'gemini' | 'qwen';
  /** The flags that it knows, among those that not every version has. */
  flags: ReadonlySet<string>;
  /** Whether it has the name of a program that we know: a wrapper may not speak every protocol. */
  isKnown: boolean;
  /** Whether its sessions reach tools of clients. */
  reachesTools: boolean;
}

/** Qwen Code before it has no tool servers where its own tools are off. */
const QWEN_WITH_SERVERS = [0, 24] as const;
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
  if (dialect) {
    const reachesTools = dialect === 'gemini' || (await isFrom(path, QWEN_WITH_SERVERS));
    return { path, dialect, flags: new Set(known), isKnown: true, reachesTools };
  }
  const help = askProgram(context, path, ['--help'], AbortSignal.timeout(HELP_LIMIT_MS));
  const { output } = await help.catch((error: Error) => {
    const message = `"${path} --help" does not answer: it is run without the flags that not every version knows`;
    context.log.warn(message, { reason: error.message });
    return { output: '' };
  });
  const flags = flagsIn(output);
  const isQwen = flags.has('--include-partial-messages');
  return { path, dialect: isQwen ? 'qwen' : 'gemini', flags, isKnown: false, reachesTools: !isQwen };
}

/** Whether the program's package says that it is of this version, or a later one. */
async function isFrom(path: string, [major, minor]: readonly [number, number]): Promise<boolean> {
  const { version } = await packageOf(path);
  const [, ownMajor, ownMinor] = /^(\d+)\.(\d+)\./.exec(textOf(version) ?? '') ?? [];
  return Number(ownMajor) > major || (Number(ownMajor) === major && Number(ownMinor) >= minor);
}
