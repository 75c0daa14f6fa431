import { basename } from 'node:path';
import type { DriverContext, DriverFailure } from 'drivebay/plugin';
import { askProgram, findProgram, PerProgram } from '../_shared/cli/ask-program';
import type { CliOptions } from '../_shared/cli/cli-run';
import { type Ask, type Findings, notLoggedIn } from '../_shared/cli/findings';

const NAME = 'agent';
/** What the program was called before, and still is called as well. It needs no proof. */
const FORMER_NAME = 'cursor-agent';
const HINT = "run: curl https://cursor.com/install -fsS | bash && agent login; or set command to the program's path";

const LIMIT_MS = 10_000;
const LONGEST_QUOTE = 80;
/** `2026.07.09-a3815c0` */
const VERSION = /^\d{4}\.\d{1,2}\.\d{1,2}-[0-9a-f]{6,}\b/m;
const CURSOR = /\bCursor (?:Agent|CLI)\b|\bcursor-agent\b|\bcursor\.com\b/i;

/** Finds the Cursor CLI. Other programs are called `agent`, too: each one is asked what it is. */
export class ProgramFinder {
  private readonly identities = new PerProgram((path) => this.identify(path));

  constructor(
    private readonly context: DriverContext<CliOptions>,
    private readonly limitMs = LIMIT_MS,
  ) {}

  /** The program that `command` names is taken or refused, never replaced. A path, or another name than `agent`, needs no proof. */
  async find(): Promise<string> {
    const { command } = this.context.options;
    const path = await findProgram(this.context, command ?? [NAME, FORMER_NAME], HINT);
    if ((command ?? basename(path)) !== NAME) return path;
    const identity = await this.identities.get(path).catch((error: DriverFailure) => error);
    if (identity === 'cursor') return path;
    if (command === undefined) {
      const other = await findProgram(this.context, FORMER_NAME, HINT).catch(() => undefined);
      if (other !== undefined) return other;
    }
    if (identity === 'silent') return path;
    throw identity;
  }

  /** What a program says about itself: that it is the Cursor CLI, nothing, or that it is something else. */
  private async identify(path: string): Promise<'cursor' | 'silent' | DriverFailure> {
    const version = await this.ask(path, '--version');
    if (VERSION.test(version) || CURSOR.test(version)) return 'cursor';
    const help = await this.ask(path, '--help');
    if (CURSOR.test(help)) return 'cursor';
    const says = firstSentence(version) ?? firstSentence(help);
    if (says !== undefined) {
      const message = `${path} is not the Cursor CLI (it says: ${says})`;
      return this.context.error('not_installed', message, { kind: 'binary_missing', hint: HINT });
    }
    this.context.log.warn(
      `${path} does not say what it is: it is taken for the Cursor CLI, unless there is a cursor-agent`,
    );
    return 'silent';
  }

  private async ask(path: string, flag: string): Promise<string> {
    const signal = AbortSignal.timeout(this.limitMs);
    try {
      return (await askProgram(this.context, path, [flag], signal)).output;
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

/** Events of a run are no words of the program about itself. */
function firstSentence(output: string): string | undefined {
  const lines = output.split('\n').map((line) => line.trim());
  return lines.find((line) => line !== '' && !line.startsWith('{'))?.slice(0, LONGEST_QUOTE);
}

/** Whether the program is logged in, as it says itself. */
export async function* loginFinding(ask: Ask, path: string): Findings {
  // A version that does not know the command would take it for a prompt, and pay for the answer.
  const help = await ask('--help');
  if (!help || !/^\s+status\b/m.test(help.output)) return;
  const { output = '' } = (await ask('status')) ?? {};
  const name = basename(path);
  if (/not logged in|not authenticated|authentication required/i.test(output)) {
    yield notLoggedIn(name, `${name} login`);
  } else if (/logged in/i.test(output)) {
    // The output of doctor is shown to others: the account is not named.
    yield { topic: 'login', severity: 'ok', message: 'logged in' };
  }
}
