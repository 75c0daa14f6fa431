import type {
  Call,
  ChatEvent,
  ChatRequest,
  CheckResult,
  Diagnosis,
  Driver,
  DriverContext,
  DriverFailure,
  Subprocess,
} from 'drivebay/plugin';
import { untilAborted } from '../_shared/until-aborted';
import { billing } from './billing';
import { type Cli, CliFinder } from './cli';
import { diagnose } from './diagnose';
import { explainEnd } from './explain-end';
import { explainFailure, type Failed } from './explain-failure';
import { explainClashes } from './extra-args';
import { neededNode } from './needed-node';
import type { Options } from './options';
import type { Outcome } from './outcome';
import { OutputReader } from './output-reader';
import { isHopeless, RetryWatch } from './retry-watch';
import { isTalk, startRun } from './run';

/** As much of what is no event as an error message needs. */
const MOST_NOISE = 20;
const LONGEST_NOISE = 1_000;

/** Runs Gemini CLI or Qwen Code for each call. */
export class GammaCliDriver implements Driver {
  private readonly finder: CliFinder;
  /** Runs that are over, and whose files are not removed yet. */
  private readonly leaving = new Set<Promise<void>>();

  constructor(private readonly context: DriverContext<Options>) {
    this.finder = new CliFinder(context);
    for (const clash of explainClashes(context.options)) context.log.warn(clash);
  }

  async *chat(request: ChatRequest, call: Call): AsyncGenerator<ChatEvent, void, undefined> {
    const { context } = this;
    const ignored = context.ignoredFields(request);
    const path = await this.resolve();
    const cli = await untilAborted(this.finder.find(path), call.signal);
    const talks = isTalk(context, call);
    call.trace('gamma_cli.resolve', { resolved_bin: path, dialect: cli.dialect, tools: !talks });
    const reader = new OutputReader({ refusesRestart: talks });
    const failed = (): Failed => ({ path, model: request.model, hasActed: !talks && reader.text.hasActed });
    const noise: string[] = [];
    const storm = new AbortController();
    const watch = new RetryWatch();
    const onErrorLine = (line: string): void => {
      const notice = watch.read(line);
      if (!notice || storm.signal.aborted) return;
      call.trace('gamma_cli.retry', { ...notice });
      const hasBegun = reader.text.hasText || reader.text.hasActed;
      if (!isHopeless(notice, hasBegun, call.deadline - Date.now())) return;
      storm.abort(explainFailure(context, notice.message, failed()));
    };
    const signal = AbortSignal.any([call.signal, storm.signal]);
    const { program, release } = await startRun(context, { request, call, cli, signal, onErrorLine });
    try {
      if (ignored.length > 0) yield { type: 'meta', ignored };
      const outcome = yield* this.read(program, { reader, noise, call });
      if (outcome?.type === 'answer') {
        if (outcome.usage) yield outcome.usage;
        yield { type: 'finish', reason: outcome.finish };
        return;
      }
      throw await this.explain(program, { reader, noise, outcome }, failed());
    } catch (error) {
      if (storm.signal.aborted && !call.signal.aborted) throw storm.signal.reason;
      throw error;
    } finally {
      this.leave(release());
    }
  }

  async check(): Promise<CheckResult> {
    const path = await this.resolve();
    if (this.context.options.api_key_env) this.context.requireApiKey();
    return { detail: path };
  }

  async metadata(): Promise<Record<string, string>> {
    const path = await this.resolve();
    const cli: Cli = await this.finder.find(path);
    return { resolved_bin: path, dialect: cli.dialect, billing: await billing(this.context.options, cli) };
  }

  async *diagnose(call: Call): AsyncGenerator<Diagnosis, void, undefined> {
    yield* diagnose(this.context, await this.finder.find(await this.resolve()), call);
  }

  async close(): Promise<void> {
    await Promise.all(this.leaving);
  }

  private async *read(
    program: Subprocess,
    { reader, noise, call }: { reader: OutputReader; noise: string[]; call: Call },
  ): AsyncGenerator<ChatEvent, Outcome | undefined, undefined> {
    for await (const line of program.jsonLines()) {
      const reading = reader.read(line);
      if (!reading) {
        if (noise.length < MOST_NOISE && line.text.trim() !== '') noise.push(line.text.slice(0, LONGEST_NOISE));
        continue;
      }
      for (const event of reading.events) yield event;
      if (reading.note) call.trace('gamma_cli.item', reading.note);
      if (reading.outcome) return reading.outcome;
    }
    return undefined;
  }

  private async explain(
    program: Subprocess,
    run: { reader: OutputReader; noise: string[]; outcome: Exclude<Outcome, { type: 'answer' }> | undefined },
    failed: Failed,
  ): Promise<DriverFailure> {
    const { context } = this;
    const { reader, noise, outcome } = run;
    switch (outcome?.type) {
      case 'failure':
        return explainFailure(context, outcome.message, failed);
      case 'restarted':
        void program.stop();
        return context.error('upstream', 'the CLI began its answer anew after a part of it had been passed on', {
          kind: 'truncated',
        });
      default: {
        const error = await program.error();
        const exit = await program.exited;
        const { stderr } = program;
        const node = exit.code === 0 ? undefined : await neededNode(failed.path, stderr);
        const end = { stderr, noise, exit, neededNode: node, isTorn: reader.isTorn, error };
        return explainEnd(context, end, failed);
      }
    }
  }

  private leave(release: Promise<void>): void {
    this.leaving.add(release);
    void release.then(() => this.leaving.delete(release));
  }

  private async resolve(): Promise<string> {
    const { context } = this;
    try {
      return await context.resolveBinary(context.options.command, { userFolders: true });
    } catch (error) {
      const { code, kind, message } = error as DriverFailure;
      if (kind !== 'binary_missing') throw error;
      const hint =
        'run: npm install -g @google/gemini-cli (or @qwen-code/qwen-code, with command: qwen) and log in; ' +
        'or set command to the path of the program';
      throw context.error(code, message, { kind, hint, cause: error });
    }
  }
}
