import { basename } from 'node:path';
import type { Call, DriverContext, DriverFailure } from 'drivebay/plugin';
import {
  type ChatProgram,
  type CliOptions,
  type CliRun,
  type Outcome,
  type Reading,
  type RunEnd,
  type RunReader,
} from './cli-run';
import { explainByRules, type FailedRun, type FailureReport, type FailureRule, findRule } from './explain-by-rules';
import { SUBSCRIPTION } from './findings';
import type { ProgramEnded } from './warm/program-ended';

/** How the programs name a source of keys that is a login. */
const LOGINS = ['none', 'oauth', 'login'];
const LONGEST_QUOTE = 300;
const COLOURS = /\u001b\[[\d;]*[A-Za-z]/g;

/** What the driver of an agent CLI knows of its program, and says about its runs: failures, warnings, who pays. */
export abstract class CliExplainer<Options extends CliOptions> {
  protected abstract readonly failureRules: readonly FailureRule[];
  /** What a line of its standard error means when the run does not even begin. */
  protected readonly startRules: readonly FailureRule[] = [];
  /** Why a run may print nothing until its time is up. */
  protected readonly silence?: string;
  /** The arguments with which the user can try the program by hand. */
  protected readonly trial?: string;
  protected about: Required<Reading>['about'] = {};
  private readonly warned = new Set<string>();

  /** `clashes`: what arguments of the user do against the driver. They are passed on all the same. */
  constructor(
    protected readonly context: DriverContext<Options>,
    clashes: readonly string[] = [],
  ) {
    for (const clash of clashes) this.warnOnce(clash);
  }

  /** What errors say about a run. */
  protected describe(path: string, model: string | undefined, hasActed = false): FailedRun {
    const { options, provider } = this.context;
    const name = basename(path);
    const command = options.command ?? name;
    return {
      ...{ path, name, provider, model, hasActed },
      command: /\s/.test(command) ? `'${command}'` : command,
      keyName: options.api_key_env || undefined,
      extraArgs: options.extra_args ?? [],
    };
  }

  protected explain(report: FailureReport, run: FailedRun): DriverFailure {
    return explainByRules(this.context, this.failureRules, report, run);
  }

  /** The error of a run that ended without saying how it went. */
  protected explainEnd(end: RunEnd, run: FailedRun): DriverFailure | Promise<DriverFailure> {
    const { code } = end.error;
    if (code === 'not_installed' || code === 'canceled') return end.error;
    // By the first line that a rule knows: what comes behind is usage and help.
    const start = linesOf(end.stderr).find((text) => findRule(this.startRules, { text })?.match);
    if (start !== undefined) {
      const report = { text: start.replace(/^error: /i, ''), words: start };
      return explainByRules(this.context, this.startRules, report, run);
    }
    const report = this.judgeEnd(end);
    return report ? this.explain(report, run) : this.unexplainedEnd(end, run);
  }

  /** The error of a run whose end nothing explains. */
  private unexplainedEnd({ error, noise }: RunEnd, { command, hasActed }: FailedRun): DriverFailure {
    const printed = noise.join(' ').slice(0, LONGEST_QUOTE);
    return this.context.error(error.code, error.message + (printed && `; it printed: ${printed}`), {
      kind: error.kind,
      hint: error.hint ?? (this.trial && `see what it does: run: ${command} ${this.trial}`),
      sideEffects: hasActed,
      cause: error,
    });
  }

  /** What is known about the failure of a run that ended without an outcome. */
  protected judgeEnd({ report, stderr, noise, exit }: RunEnd): FailureReport | undefined {
    if (report || exit.signal !== null) return report;
    const text = knownLine(this.failureRules, linesOf(stderr)) ?? knownLine(this.failureRules, noise);
    return text === undefined ? undefined : { text };
  }

  /** Which purse pays, as far as the program has said where its key is from. */
  protected billing(): string {
    const { api_key_env: keyName } = this.context.options;
    const { keySource } = this.about;
    if (keyName) return `api-key (${keyName})`;
    if (keySource === undefined) return "the program's login";
    return LOGINS.includes(keySource) ? SUBSCRIPTION : `api-key (${keySource})`;
  }

  /** Whether a subscription pays for a run, as far as that is known: then the user pays nothing more for its tokens. */
  protected isPaidBySubscription(_run: CliRun): boolean | Promise<boolean> {
    return this.billing().startsWith(SUBSCRIPTION);
  }

  protected warnOnce(message: string): void {
    if (this.warned.has(message)) return;
    this.warned.add(message);
    this.context.log.warn(message);
  }

  protected async explainOutcome(
    outcome: Exclude<Outcome, { type: 'answer' }> | undefined,
    program: ChatProgram,
    reader: Pick<RunReader, 'end'>,
    { noise, failed }: { noise: string[]; failed: FailedRun },
  ): Promise<DriverFailure> {
    if (!outcome) {
      const error = await program.error();
      const stderr = withoutColours(program.stderr);
      const end = { stderr, noise, exit: await program.exited, report: reader.end?.(), error };
      return this.explainEnd(end, failed);
    }
    if (outcome.type === 'failure') return this.explain(outcome.report, failed);
    const message = `${failed.name} started its answer again after a part of it had been passed on`;
    return this.context.error('upstream', message, { kind: 'truncated', sideEffects: failed.hasActed });
  }

  protected explainEnded({ program }: ProgramEnded, path: string, model: string | undefined): Promise<DriverFailure> {
    return this.explainOutcome(undefined, program, {}, { noise: [], failed: this.describe(path, model) });
  }

  protected note({ item, retry, warning }: Reading, { path }: CliRun, call: Call): void {
    if (item) call.trace(this.traceName('item'), item);
    if (retry) call.trace(this.traceName('retry'), retry);
    if (warning) call.log.warn(`${basename(path)}: ${warning}`);
  }

  protected learn(about: Required<Reading>['about']): void {
    this.about = { ...this.about, ...about };
    const { keySource = LOGINS[0]! } = about;
    if (this.context.options.api_key_env || LOGINS.includes(keySource)) return;
    this.warnOnce(`the program pays with a key of its own (${keySource}), not with its login`);
  }

  protected traceName(event: string): string {
    return `${this.context.driver.replaceAll('-', '_')}.${event}`;
  }

  /** For a run that printed nothing. Its error comes from core, and tells only of the time. */
  protected noteSilence({ path }: CliRun, { signal, log }: Call): void {
    const { code } = (signal.reason ?? {}) as { code?: unknown };
    if (code !== 'timeout' || this.silence === undefined) return;
    log.warn(`${basename(path)} printed nothing at all in the time it had: ${this.silence}`);
  }
}

export function withoutColours(text: string): string {
  return text.replace(COLOURS, '');
}

function linesOf(text: string): string[] {
  return text.split('\n').map((line) => line.trim());
}

/** The last line whose words a rule knows. Others are noise, or lines of a stack. */
function knownLine(rules: readonly FailureRule[], lines: readonly string[]): string | undefined {
  return lines.findLast((text) => !text.startsWith('at ') && findRule(rules, { text })?.match);
}
