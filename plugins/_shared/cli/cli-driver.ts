import type {
  Call,
  ChatEvent,
  ChatRequest,
  CheckResult,
  Driver,
  DriverErrorCode,
  DriverFailure,
  Session,
  Usage,
} from 'drivebay/plugin';
import { untilAborted } from '../until-aborted';
import { CliExplainer, withoutColours } from './cli-explainer';
import { type ChatProgram, type CliOptions, type CliRun, folderOf, type Said } from './cli-run';
import type { FailedRun } from './explain-by-rules';
import { addEvents } from './warm/fingerprint';
import { ProgramEnded } from './warm/program-ended';

const MOST_NOISE = 20;
const LONGEST_NOISE = 1_000;

/** Failures that a session may have caused. Every other failure would also meet a run without it. */
const OF_SESSION: ReadonlySet<string> = new Set<DriverErrorCode>([
  'rejected',
  'invalid_request',
  'upstream',
  'protocol',
]);

/** An older program may not know the flag that goes on with a session. */
function mayComeOfSession({ code, kind }: DriverFailure): boolean {
  return OF_SESSION.has(code) || kind === 'bad_option';
}

/** A run that its standard error shows to be hopeless, before the program ends. */
interface Hopeless {
  error?: DriverFailure;
  /** Ends the program and the reading of its output. */
  stop?: () => void;
}

/** What is the same for every driver of an agent CLI: each chat is one run of the program, or a part of one that is kept. */
export abstract class CliDriver<Options extends CliOptions> extends CliExplainer<Options> implements Driver {
  protected readonly honoured: readonly string[] = [];

  protected abstract findProgram(): Promise<string>;

  /**
   * Makes the run of a request. Refuses what cannot be run before it starts anything. `hasTools`: an agent process has the
   * tools of the program, and so has a gateway call where the provider says so. Every other call is a chat. `session`: what
   * the program may have kept of the conversation.
   */
  protected abstract prepare(
    request: ChatRequest,
    call: Call,
    hasTools: boolean,
    session: Session | undefined,
  ): Promise<CliRun>;

  chat(request: ChatRequest, call: Call): AsyncGenerator<ChatEvent, void, undefined> {
    return this.answer(request, call);
  }

  async check(call: Call): Promise<CheckResult> {
    const detail = await untilAborted(this.findProgram(), call.signal);
    if (this.context.options.api_key_env) this.context.requireApiKey();
    return { detail };
  }

  private async *answer(
    request: ChatRequest,
    call: Call,
    instead?: CliRun,
  ): AsyncGenerator<ChatEvent, void, undefined> {
    const unused = this.context.ignoredFields(request, this.honoured);
    if (request.model !== undefined) this.context.argument(request.model, 'model');
    const hasTools = call.workspace !== undefined || this.context.options.gateway_tools;
    const prepare = (): Promise<CliRun> => this.prepare(request, call, hasTools, call.session);
    const run = instead ?? (await this.explained(prepare, request.model));
    if (call.session && !instead) call.trace(this.traceName('session'), { resumed: run.isOfSession === true });
    const ignored = [...unused, ...(run.ignored ?? [])];
    const failed = (): FailedRun => this.describe(run.path, request.model, run.mayAct && run.reader.hasActed);
    const hopeless: Hopeless = {};
    const program = run.running ?? (await this.start(run, call, hopeless, failed));
    const lines = program.jsonLines();
    hopeless.stop = () => {
      void program.stop();
      void lines[Symbol.asyncIterator]().return?.();
    };
    if (hopeless.error) hopeless.stop();
    const noise: string[] = [];
    const said: Said = { text: '', calls: [] };
    let isSilent = true;
    let tools = 0;
    let hasSpoken = false;
    let hasBegun = false;
    let next: CliRun | undefined;
    try {
      if (ignored.length > 0 && !instead) yield { type: 'meta', ignored };
      const warm = run.isOfSession ? 'resumed' : run.warm;
      if (warm) yield { type: 'meta', warm };
      for await (const { json, text } of lines) {
        isSilent = false;
        run.notes?.read(json);
        const reading = run.reader.read(json, text);
        if (!reading) {
          if (text.trim() !== '' && noise.length < MOST_NOISE) noise.push(withoutColours(text).slice(0, LONGEST_NOISE));
          continue;
        }
        if (reading.about) this.learn(reading.about);
        said.outcome = reading.outcome;
        // A program that has said all may take a while to end by itself. This one has not.
        if (said.outcome?.type === 'answer' && said.outcome.isCut) void program.stop();
        if (run.running) addEvents(said, reading.events);
        for (const event of reading.events) yield event;
        tools += reading.events.filter(({ type }) => type === 'activity').length;
        if (reading.usage) yield await this.billed(reading.usage, run, tools);
        hasSpoken ||= reading.events.length > 0;
        hasBegun ||= reading.events.some(({ type }) => type !== 'meta');
        this.note(reading, run, call);
        if (said.outcome) break;
      }
      if (hopeless.error && !call.signal.aborted) throw hopeless.error;
      const { outcome } = said;
      if (outcome?.type === 'answer') {
        const { usage, finish: reason, stopSequence } = outcome;
        const state = run.notes?.state();
        if (state) yield { type: 'session', state };
        if (usage) yield await this.billed(usage, run, tools);
        yield stopSequence === undefined ? { type: 'finish', reason } : { type: 'finish', reason, stopSequence };
      } else if (!outcome && !hasSpoken && run.instead && !call.signal.aborted) {
        next = await this.explained(() => run.instead!(), request.model);
      } else {
        const error = await this.explainOutcome(outcome, program, run.reader, { noise, failed: failed() });
        const isUntouched = !hasBegun && !run.reader.hasActed && !call.signal.aborted;
        if (!run.isOfSession || !isUntouched || !mayComeOfSession(error)) throw error;
        call.trace(this.traceName('session'), { resumed: false, reason: error.message });
        // Two agents must not work in one folder at the same time.
        await program.stop();
        next = { ...(await this.prepare(request, call, hasTools, undefined)), warm: 'cold' };
      }
    } finally {
      if (isSilent) this.noteSilence(run, call);
      const left = run.release?.(program, said);
      // Another agent may work in the folder next.
      if (call.workspace && run.running) await left;
    }
    if (next) yield* this.answer(request, call, next);
  }

  /** A program asks its model again after each tool, so its counts are the sum of several requests. */
  private async billed(usage: Usage, run: CliRun, tools: number): Promise<Usage> {
    const counts = tools > 0 ? { ...usage, requests: 1 + tools } : usage;
    return (await this.isPaidBySubscription(run)) ? { ...counts, nominal: true } : counts;
  }

  /** For a program that ended before it took the chat, where no other run can serve it. */
  private async explained(make: () => Promise<CliRun>, model: string | undefined): Promise<CliRun> {
    try {
      return await make();
    } catch (error) {
      throw error instanceof ProgramEnded ? await this.explainEnded(error, await this.findProgram(), model) : error;
    }
  }

  private async start(run: CliRun, call: Call, hopeless: Hopeless, failed: () => FailedRun): Promise<ChatProgram> {
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
        cwd: folderOf(call),
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
}
