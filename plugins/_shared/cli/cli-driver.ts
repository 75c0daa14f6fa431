import { basename } from 'node:path';
import type {
  Call,
  ChatEvent,
  ChatRequest,
  CheckResult,
  Driver,
  DriverContext,
  DriverFailure,
  Subprocess,
} from 'drivebay/plugin';
import { untilAborted } from '../until-aborted';
import { billingOf, paysUnasked } from './findings';
import { describeRun, type CliOptions, type CliRun, type Outcome, type Reading, type RunEnd } from './cli-run';
import { explainByRules, type FailedRun, type FailureReport, type FailureRule } from './explain-by-rules';
import { explainStart, knownLine, linesOf, unexplainedEnd, withoutColours } from './explain-end';

const MOST_NOISE = 20;
const LONGEST_NOISE = 1_000;

/** A run that its standard error shows to be hopeless, before the program ends. */
interface Hopeless {
  error?: DriverFailure;
  /** Ends the program and the reading of its output. */
  stop?: () => void;
}

/** What is the same for every driver of an agent CLI: each chat is one run of the program. */
export abstract class CliDriver<Options extends CliOptions> implements Driver {
  protected abstract readonly failureRules: readonly FailureRule[];
  /** What a line of its standard error means when the run does not even begin. */
  protected readonly startRules: readonly FailureRule[] = [];
  protected readonly honoured: readonly string[] = [];
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

  protected abstract findProgram(): Promise<string>;

  /**
   * Makes the run of a request. Refuses what cannot be run before it starts anything. `hasTools`: an agent process has the
   * tools of the program, and so has a gateway call where the provider says so. Every other call is a chat.
   */
  protected abstract prepare(request: ChatRequest, call: Call, hasTools: boolean): Promise<CliRun>;

  async *chat(request: ChatRequest, call: Call): AsyncGenerator<ChatEvent, void, undefined> {
    const ignored = this.context.ignoredFields(request, this.honoured);
    if (request.model !== undefined) this.context.argument(request.model, 'model');
    const hasTools = call.workspace !== undefined || this.context.options.gateway_tools;
    const run = await this.prepare(request, call, hasTools);
    const failed = (): FailedRun => describeRun(this.context, run, request.model);
    const hopeless: Hopeless = {};
    const program = await this.start(run, call, hopeless, failed);
    const lines = program.jsonLines();
    hopeless.stop = () => {
      void program.stop();
      void lines[Symbol.asyncIterator]().return?.();
    };
    if (hopeless.error) hopeless.stop();
    const noise: string[] = [];
    let outcome: Outcome | undefined;
    let isSilent = true;
    try {
      if (ignored.length > 0) yield { type: 'meta', ignored };
      for await (const { json, text } of lines) {
        isSilent = false;
        const reading = run.reader.read(json, text);
        if (!reading) {
          if (text.trim() !== '' && noise.length < MOST_NOISE) noise.push(withoutColours(text).slice(0, LONGEST_NOISE));
          continue;
        }
        if (reading.about) this.learn(reading.about);
        for (const event of reading.events) yield event;
        this.note(reading, run, call);
        outcome = reading.outcome;
        if (outcome) break;
      }
      if (hopeless.error && !call.signal.aborted) throw hopeless.error;
      if (outcome?.type !== 'answer')
        throw await this.explainOutcome(outcome, program, run, { noise, failed: failed() });
      if (outcome.usage) yield outcome.usage;
      yield { type: 'finish', reason: outcome.finish };
    } finally {
      if (isSilent) this.noteSilence(run, call);
      run.release?.(program);
    }
  }

  async check(call: Call): Promise<CheckResult> {
    const detail = await untilAborted(this.findProgram(), call.signal);
    if (this.context.options.api_key_env) this.context.requireApiKey();
    return { detail };
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

  protected warnOnce(message: string): void {
    if (this.warned.has(message)) return;
    this.warned.add(message);
    this.context.log.warn(message);
  }

  /** A program that is kept warm for the next chat would be taken here. */
  private async start(run: CliRun, call: Call, hopeless: Hopeless, failed: () => FailedRun): Promise<Subprocess> {
    const { path, args, spawn, reader } = run;
    const onErrorLine = (line: string): void => {
      const reading = hopeless.error ? undefined : reader.readErrorLine?.(line);
      if (reading) this.note(reading, run, call);
      if (reading?.outcome?.type !== 'failure') return;
      hopeless.error = this.explain(reading.outcome.report, failed());
      hopeless.stop?.();
    };
    try {
      return await this.context.spawn(path, args, {
        cwd: call.workspace?.workingDirectory ?? call.workspace?.directory,
        ...spawn,
        // The call's own signal: core knows by it whose program this is.
        signal: call.signal,
        onErrorLine: reader.readErrorLine && onErrorLine,
      });
    } catch (error) {
      run.release?.();
      throw error;
    }
  }

  private async explainOutcome(
    outcome: Exclude<Outcome, { type: 'answer' }> | undefined,
    program: Subprocess,
    { reader }: CliRun,
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

  private note({ item, retry, warning }: Reading, { path }: CliRun, call: Call): void {
    if (item) call.trace(this.traceName('item'), item);
    if (retry) call.trace(this.traceName('retry'), retry);
    if (warning) call.log.warn(`${basename(path)}: ${warning}`);
  }

  private learn(about: Required<Reading>['about']): void {
    this.about = { ...this.about, ...about };
    const warning = paysUnasked(this.context.options.api_key_env, about.keySource);
    if (warning !== undefined) this.warnOnce(warning);
  }

  protected traceName(event: string): string {
    return `${this.context.driver.replaceAll('-', '_')}.${event}`;
  }

  /** The error of such a run is core's, and tells of the time only. */
  private noteSilence({ path }: CliRun, { signal, log }: Call): void {
    const { code } = (signal.reason ?? {}) as { code?: unknown };
    if (code !== 'timeout' || this.silence === undefined) return;
    log.warn(`${basename(path)} printed nothing at all in the time it had: ${this.silence}`);
  }
}
