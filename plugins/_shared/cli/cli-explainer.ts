import { basename } from 'node:path';
import type { Call, DriverContext, DriverFailure } from 'drivebay/plugin';
import {
  type ChatProgram,
  type CliOptions,
  type CliRun,
  describeRun,
  type Outcome,
  type Reading,
  type RunEnd,
  type RunReader,
} from './cli-run';
import { explainByRules, type FailedRun, type FailureReport, type FailureRule } from './explain-by-rules';
import { explainStart, knownLine, linesOf, unexplainedEnd, withoutColours } from './explain-end';
import { billingOf, paysUnasked, SUBSCRIPTION } from './findings';
import type { ProgramEnded } from './warm/program-ended';

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

  protected explain(report: FailureReport, run: FailedRun): DriverFailure {
    return explainByRules(this.context, this.failureRules, report, run);
  }

  /** The error of a run that ended without saying how it went. */
  protected explainEnd(end: RunEnd, run: FailedRun): DriverFailure | Promise<DriverFailure> {
    const { code } = end.error;
    if (code === 'not_installed' || code === 'canceled') return end.error;
    const start = explainStart(this.context, this.startRules, end, run);
    if (start) return start;
    const report = this.judgeEnd(end);
    return report ? this.explain(report, run) : unexplainedEnd(this.context, end, run, this.trial);
  }

  /** What is known about the failure of a run that ended without an outcome. */
  protected judgeEnd({ report, stderr, noise, exit }: RunEnd): FailureReport | undefined {
    if (report || exit.signal !== null) return report;
    const text = knownLine(this.failureRules, linesOf(stderr)) ?? knownLine(this.failureRules, noise);
    return text === undefined ? undefined : { text };
  }

  protected billing(): string {
    return billingOf(this.context.options.api_key_env, this.about.keySource);
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
    const message = `${failed.name} began its answer anew after a part of it had been passed on`;
    return this.context.error('upstream', message, { kind: 'truncated', sideEffects: failed.hasActed });
  }

  protected explainEnded({ program }: ProgramEnded, path: string, model: string | undefined): Promise<DriverFailure> {
    return this.explainOutcome(undefined, program, {}, { noise: [], failed: describeRun(this.context, path, model) });
  }

  protected note({ item, retry, warning }: Reading, { path }: CliRun, call: Call): void {
    if (item) call.trace(this.traceName('item'), item);
    if (retry) call.trace(this.traceName('retry'), retry);
    if (warning) call.log.warn(`${basename(path)}: ${warning}`);
  }

  protected learn(about: Required<Reading>['about']): void {
    this.about = { ...this.about, ...about };
    const warning = paysUnasked(this.context.options.api_key_env, about.keySource);
    if (warning !== undefined) this.warnOnce(warning);
  }

  protected traceName(event: string): string {
    return `${this.context.driver.replaceAll('-', '_')}.${event}`;
  }

  /** The error of such a run is core's, and tells of the time only. */
  protected noteSilence({ path }: CliRun, { signal, log }: Call): void {
    const { code } = (signal.reason ?? {}) as { code?: unknown };
    if (code !== 'timeout' || this.silence === undefined) return;
    log.warn(`${basename(path)} printed nothing at all in the time it had: ${this.silence}`);
  }
}
