import { realpath, stat } from 'node:fs/promises';
import type { DriverContext, DriverFailure } from 'drivebay/plugin';
import { plainEnvironment } from '../_shared/cli/plain-environment';

const LIMIT_MS = 10_000;
/** A program that hangs is not waited for by each request; when the machine is less busy it may answer. */
const ASK_AGAIN_AFTER_MS = 60_000;
const LONGEST_QUOTE = 80;
/** What a shell, and `env` in the first line of a script, end with. */
const COMMAND_NOT_FOUND = 127;
/** `2026.07.09-a3815c0` */
const VERSION = /^\d{4}\.\d{1,2}\.\d{1,2}-[0-9a-f]{6,}\b/m;
const NAME = /\bCursor (?:Agent|CLI)\b|\bcursor-agent\b|\bcursor\.com\b/i;

/** What a program says about itself: that it is the Cursor CLI, that it is something else, or nothing. */
export type Identity = { type: 'cursor' } | { type: 'other'; says: string } | { type: 'silent' };

/** Asks programs what they are. Each is asked once, until its file changes. */
export class Identities {
  private readonly asked = new Map<string, { identity: Promise<Identity>; failedAt?: number }>();

  constructor(
    private readonly context: Pick<DriverContext, 'error' | 'log' | 'spawn'>,
    private readonly limitMs = LIMIT_MS,
  ) {}

  /** Rejects when the program cannot be started, or does not answer. */
  async ask(path: string): Promise<Identity> {
    const file = await realpath(path);
    const key = `${file} ${(await stat(file)).mtimeMs}`;
    const known = this.asked.get(key);
    if (known && performance.now() - (known.failedAt ?? Infinity) < ASK_AGAIN_AFTER_MS) return known.identity;
    const asked: { identity: Promise<Identity>; failedAt?: number } = { identity: this.learn(path) };
    this.asked.set(key, asked);
    asked.identity.catch(({ kind }: DriverFailure) => {
      if (kind === 'binary_broken') asked.failedAt = performance.now();
      else this.asked.delete(key);
    });
    return asked.identity;
  }

  private async learn(path: string): Promise<Identity> {
    const version = await this.run(path, '--version');
    if (VERSION.test(version) || NAME.test(version)) return { type: 'cursor' };
    const help = await this.run(path, '--help');
    if (NAME.test(help)) return { type: 'cursor' };
    const says = firstSentence(version) ?? firstSentence(help);
    if (says !== undefined) return { type: 'other', says };
    this.context.log.warn(
      `${path} does not say what it is: it is taken for the Cursor CLI, unless there is a cursor-agent`,
    );
    return { type: 'silent' };
  }

  /** Everything that the program prints, on whichever stream. */
  private async run(path: string, flag: string): Promise<string> {
    const signal = AbortSignal.timeout(this.limitMs);
    const lines: string[] = [];
    try {
      const program = await this.context.spawn(path, [flag], {
        env: plainEnvironment(),
        input: '',
        signal,
        graceMs: 0,
      });
      for await (const line of program.lines()) lines.push(line);
      const { code } = await program.exited;
      if (code === COMMAND_NOT_FOUND) throw await program.error();
      return [...lines, program.stderr].join('\n');
    } catch (cause) {
      if (!signal.aborted) throw cause;
      const message = `${path} gave no answer to ${flag} within ${this.limitMs / 1000} s`;
      throw this.context.error('not_installed', message, {
        kind: 'binary_broken',
        hint: `run it by hand: ${path} ${flag}; or set command to the program's path`,
        cause,
      });
    }
  }
}

/** Events of a run are no words about itself. */
function firstSentence(output: string): string | undefined {
  const lines = output.split('\n').map((line) => line.trim());
  return lines.find((line) => line !== '' && !line.startsWith('{'))?.slice(0, LONGEST_QUOTE);
}
