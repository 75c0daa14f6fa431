import { basename } from 'node:path';
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
import type { FailedRun } from '../_shared/cli/failure-by-rules';
import { plainPrompt } from '../_shared/cli/plain-prompt';
import { untilAborted } from '../_shared/until-aborted';
import { findBinary } from './binary';
import { commandLine } from './command-line';
import { diagnose } from './diagnose';
import { environment } from './environment';
import { eventOf } from './event-of';
import { EventReader } from './event-reader';
import { explainEnd, explainFailure } from './explain-failure';
import { Identities } from './identity';
import type { Options } from './options';
import type { Outcome } from './outcome';

/** A command, one for the shell, and a task for an agent in the cloud, where the CLI is asked interactively. */
const COMMAND_SIGNS = ['/', '!', '&'];
/** As much of what is no event as an error message needs. */
const MOST_NOISE = 20;
const LONGEST_NOISE = 1_000;

/** Runs `agent --print` for each call. */
export class BetaCliDriver implements Driver {
  private readonly identities: Identities;
  /** Where the CLI's key was from in its last run. */
  private keySource: string | undefined;
  private hasWarned = false;

  constructor(private readonly context: DriverContext<Options>) {
    this.identities = new Identities(context);
  }

  async *chat(request: ChatRequest, call: Call): AsyncGenerator<ChatEvent, void, undefined> {
    const { context } = this;
    const hasTools = call.workspace !== undefined || context.options.gateway_tools;
    const input = plainPrompt(context.layoutPrompt(request.messages).prompt, COMMAND_SIGNS);
    const model = request.model === undefined ? undefined : context.argument(request.model, 'model');
    const env = environment(context);
    const ignored = context.ignoredFields(request);
    const path = await untilAborted(findBinary(context, this.identities), call.signal);
    call.trace('beta_cli.resolve', { resolved_bin: path, tools: hasTools });
    const cwd = call.workspace?.workingDirectory ?? call.workspace?.directory;
    const args = commandLine({ model, hasTools });
    const { signal } = call;
    const program = await context.spawn(path, args, { env, input, signal, ...(cwd !== undefined && { cwd }) });
    if (ignored.length > 0) yield { type: 'meta', ignored };
    const reader = new EventReader(!call.workspace);
    const noise: string[] = [];
    const outcome = yield* this.read(program, { reader, noise, call });
    if (outcome?.type === 'answer') {
      if (outcome.usage) yield outcome.usage;
      yield { type: 'finish', reason: 'stop' };
      return;
    }
    const run = this.describe(path, { model, hasActed: hasTools && reader.hasActed });
    if (outcome) throw this.explain(program, outcome, run);
    reader.end();
    const error = await program.error();
    const { stderr, exited } = program;
    throw explainEnd(context, { stderr, noise, lastError: reader.lastError, exit: await exited, error }, run);
  }

  async check(call: Call): Promise<CheckResult> {
    const path = await untilAborted(findBinary(this.context, this.identities), call.signal);
    if (this.context.options.api_key_env) this.context.requireApiKey();
    return { detail: path };
  }

  async metadata(): Promise<Record<string, string>> {
    return { resolved_bin: await findBinary(this.context, this.identities), billing: this.billing() };
  }

  async *diagnose(call: Call): AsyncGenerator<Diagnosis, void, undefined> {
    yield* diagnose(this.context, await findBinary(this.context, this.identities), call);
  }

  private async *read(
    program: Subprocess,
    { reader, noise, call }: { reader: EventReader; noise: string[]; call: Call },
  ): AsyncGenerator<ChatEvent, Outcome | undefined, undefined> {
    for await (const line of program.jsonLines()) {
      const { text } = line;
      const json = line.json ?? eventOf(text);
      if (json === undefined && noise.length < MOST_NOISE) noise.push(text.slice(0, LONGEST_NOISE));
      const { events, outcome, note } = reader.read(json);
      for (const event of events) yield event;
      if (note) call.trace('beta_cli.item', note);
      this.noteKeySource(reader.keySource);
      if (outcome) return outcome;
    }
    return undefined;
  }

  private explain(program: Subprocess, outcome: Exclude<Outcome, { type: 'answer' }>, run: FailedRun): DriverFailure {
    const { context } = this;
    if (outcome.type === 'failure') {
      if (outcome.isEarly) void program.stop();
      return explainFailure(context, outcome.message, run);
    }
    void program.stop();
    const message = `${run.name} began its answer anew after a part of it had been passed on`;
    return context.error('upstream', message, { kind: 'truncated', sideEffects: run.hasActed });
  }

  private describe(path: string, facts: Pick<FailedRun, 'model' | 'hasActed'>): FailedRun {
    const { command, api_key_env: keyName } = this.context.options;
    const name = basename(path);
    return { ...facts, name, command: command ?? name, keyName: keyName || undefined };
  }

  private noteKeySource(source: string | undefined): void {
    this.keySource = source ?? this.keySource;
    if (this.hasWarned || this.context.options.api_key_env || !isKey(source)) return;
    this.hasWarned = true;
    this.context.log.warn(`the CLI pays with a key of its own (${source}), not with its login`);
  }

  /** Which purse pays, as far as the CLI has told. */
  private billing(): string {
    const { api_key_env: keyName } = this.context.options;
    if (keyName) return `api-key (${keyName})`;
    if (this.keySource === undefined) return "the program's login";
    return isKey(this.keySource) ? `api-key (${this.keySource})` : 'subscription';
  }
}

function isKey(source: string | undefined): boolean {
  return source !== undefined && source !== 'login' && source !== 'none';
}
