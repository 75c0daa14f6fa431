import { realpath, stat } from 'node:fs/promises';
import { basename } from 'node:path';
import type { DriverContext } from 'drivebay/plugin';
import { plainEnvironment } from '../_shared/cli/plain-environment';
import type { Options } from './options';

/** The program itself, as far as it decides what it is given. What it answers is told apart by its form alone. */
export interface Cli {
  path: string;
  dialect: 'gemini' | 'qwen';
  /** The flags that it knows, among those that not every version has. */
  flags: ReadonlySet<string>;
}

const HELP_LIMIT_MS = 5_000;
/** What the programs of these names know; to ask each one would cost a second or two of its first call. */
const KNOWN: readonly [name: RegExp, dialect: Cli['dialect'], flags: ReadonlySet<string>][] = [
  [/gemini/i, 'gemini', new Set(['--approval-mode', '--extensions'])],
  [
    /qwen/i,
    'qwen',
    new Set(['--include-partial-messages', '--auth-type', '--bare', '--exclude-tools', '--approval-mode']),
  ],
];

/** Finds out what a program is: by its name where that says it, else by its help, which is asked for once. */
export class CliFinder {
  private readonly asked = new Map<string, Promise<Cli>>();

  constructor(private readonly context: DriverContext<Options>) {}

  async find(path: string): Promise<Cli> {
    const file = await realpath(path);
    const known = KNOWN.find(([name]) => [path, file].some((each) => name.test(basename(each))));
    if (known) return { path, dialect: known[1], flags: known[2] };
    // An update may bring other flags.
    const key = `${file} ${(await stat(file)).mtimeMs}`;
    const asked = this.asked.get(key) ?? this.ask(path);
    this.asked.set(key, asked);
    return asked;
  }

  /** Never rejects: a program that does not tell gets only what every version takes. */
  private async ask(path: string): Promise<Cli> {
    const flags = new Set<string>();
    const { context } = this;
    try {
      const options = { env: plainEnvironment(), input: '', signal: AbortSignal.timeout(HELP_LIMIT_MS), graceMs: 0 };
      const program = await context.spawn(path, ['--help'], options);
      for await (const line of program.lines()) {
        for (const [flag] of line.matchAll(/(?<![\w-])--[a-z][a-z-]*/g)) flags.add(flag);
      }
    } catch (error) {
      context.log.warn(`"${path} --help" does not answer: it gets no flag that some versions lack`, {
        reason: (error as Error).message,
      });
    }
    return { path, dialect: flags.has('--include-partial-messages') ? 'qwen' : 'gemini', flags };
  }
}
