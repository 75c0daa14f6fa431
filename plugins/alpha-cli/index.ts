import { rmSync } from 'node:fs';
import { basename } from 'node:path';
import type {
  Call,
  ChatRequest,
  CheckResult,
  DriverContext,
  DriverFailure,
  PromptLayout,
  Session,
  SpawnOptions,
} from 'drivebay/plugin';
import { PerProgram } from '../_shared/cli/ask-program';
import { CliDriver } from '../_shared/cli/cli-driver';
import type { CliRun } from '../_shared/cli/cli-run';
import { needsHolder } from '../_shared/cli/client-tools/client-tools';
import type { FailedRun, FailureReport } from '../_shared/cli/explain-by-rules';
import { explainClashes, matchesFlag } from '../_shared/cli/extra-args';
import type { Findings } from '../_shared/cli/findings';
import { handOver } from '../_shared/cli/tool-servers';
import { untilAborted } from '../_shared/until-aborted';
import { AgentPrograms } from './agent-programs';
import { serverArguments } from './agent-servers';
import { type Capabilities, capabilityMetadata, missingFlags, probeCapabilities } from './capabilities';
import { clientTools } from './client-tools';
import { clashes, type CommandLineParts, toCommandLine } from './command-line';
import { diagnose } from './diagnose';
import { childEnvironment, configuredBilling, type Options, rootWarning } from './environment';
import { EventReader } from './event-reader';
import { classify, failureRules, startRules } from './failure-rules';
import { HONOURED } from './further-fields';
import { toOpening } from './open-session';
import { ownSession, OwnSessionNotes } from './own-session';
import { resolveBinary } from './program';
import { toNextPrompt, toPrompt, writeSystemPrompt } from './prompt';
import { Sampling } from './sampling';
import { canHoldSessions, refuseSession, sessionKind } from './session-kind';
import { WarmChats } from './warm-chats';

/** Runs Claude Code in print mode, one process per chat. */
export class AlphaCliDriver extends CliDriver<Options> {
  protected readonly failureRules = failureRules;
  protected override readonly startRules = startRules;
  protected override readonly honoured = HONOURED;
  protected override readonly trial = '-p hello';
  protected override readonly silence =
    'it may wait for an answer to a question (log in by hand; with an old version, set permission_mode: ""), or for its API';
  private readonly probes = new PerProgram(
    (path) => probeCapabilities(this.context, path),
    ({ askAgainMs }) => askAgainMs,
  );
  private readonly rootWarning: string | undefined;
  private readonly warm: WarmChats;
  private readonly agents: AgentPrograms;
  /** Whether a program may hold a conversation. Not with arguments that may work against it. */
  private readonly fits: boolean;
  private readonly sampling = new Sampling();

  constructor(context: DriverContext<Options>) {
    const { extra_args: extraArgs, permission_mode: permissionMode, warm } = context.options;
    const clashing = explainClashes(extraArgs, clashes);
    super(context, clashing);
    this.rootWarning = rootWarning(permissionMode, process.env, process.getuid?.());
    if (this.rootWarning !== undefined) this.warnOnce(this.rootWarning);
    this.fits = clashing.length === 0;
    this.warm = new WarmChats(context, warm && this.fits);
    this.agents = new AgentPrograms(context);
  }

  override chat(request: ChatRequest, call: Call) {
    return this.sampling.answer(request, call, () => super.chat(request, call));
  }

  override async check(call: Call): Promise<CheckResult> {
    const { detail } = await super.check(call);
    return {
      detail: `${detail}, billing: ${this.billing()}`,
      warnings: this.rootWarning === undefined ? undefined : [this.rootWarning],
    };
  }

  async metadata(): Promise<Record<string, string>> {
    const path = await this.findProgram();
    const capabilities = await this.probes.get(path);
    const { version } = this.about;
    return {
      resolved_bin: path,
      permission_mode: this.context.options.permission_mode,
      ...capabilityMetadata(capabilities),
      billing: this.billing(),
      ...(version !== undefined && { version }),
    };
  }

  async *diagnose(call: Call): Findings {
    yield* diagnose(this.context, await this.findProgram(), call);
  }

  close(): Promise<void> {
    this.warm.close();
    return Promise.resolve();
  }

  protected findProgram(): Promise<string> {
    return resolveBinary(this.context);
  }

  protected async prepare(request: ChatRequest, call: Call, hasTools: boolean, earlier?: Session): Promise<CliRun> {
    const { context } = this;
    const { permission_mode: permissionMode, extra_args: extraArgs, client_tools, warm } = context.options;
    const { workspace, deadline } = call;
    const { model, reasoningEffort: effort, maxTokens, stop } = request;
    if (effort) context.argument(effort, 'reasoning_effort');
    const directories = workspace?.skills.map((skill) => skill.directory) ?? [];
    const takesTools = client_tools && !hasTools;
    const sampling = this.sampling.fieldsOf(request);
    const client = clientTools(request, context, { isChat: !hasTools, takesTools, sampling });
    const { extraBody, ignored } = client;
    const environment = childEnvironment(context, { ...request, isChat: !workspace, extraBody });
    const { path, can } = await this.look(call, { hasTools, hasSkills: directories.length > 0 });
    const { flags } = can;

    // The program refuses to start with two system prompts: the user's is passed, and ours stands in the prompt.
    const flag = hasTools ? '--append-system-prompt' : '--system-prompt';
    const isTaken = extraArgs.some((argument) => matchesFlag(argument, [flag, `${flag}-file`]));
    const separateSystem = !isTaken && flags.has(`${flag}-file`);
    const parts: CommandLineParts = { flags, permissionMode, model, effort, hasTools, directories, extraArgs };
    const ends = { endsAtLimit: !hasTools && maxTokens !== undefined, endsAtStop: !hasTools && stop !== undefined };
    const reading = { ...ends, refusesRestart: !workspace, deadline };
    const lay = (): PromptLayout => toPrompt(request, context, { workspace, separateSystem });
    const canHold = !hasTools && this.fits && separateSystem && canHoldSessions(flags);
    const isSessionOnly = (canHold && client.hasSchema) || (takesTools && needsHolder(client.request, client.tools));
    if (isSessionOnly && !canHold) throw refuseSession(context, path, can, !this.fits || isTaken);
    const kind = isSessionOnly || (canHold && warm) ? await sessionKind(context, path, parts) : undefined;
    const opening = kind && toOpening(client, context, lay);
    const taken = opening && (await this.warm.take({ ...opening, request, call, kind, reading, isSessionOnly }));
    if (taken) {
      const again = taken.warm === 'cold' ? undefined : () => this.prepare(request, call, hasTools);
      return { ...taken, path, args: [], spawn: {}, mayAct: false, ignored, instead: again };
    }

    const { account, resume } = this.fits ? await ownSession(context, call, earlier) : {};
    const isResumed = earlier && resume !== undefined;
    const { system, prompt } = isResumed ? toNextPrompt(request, context, earlier, separateSystem) : lay();
    const handed = await handOver(context, call, environment.env);
    const serverArgs = await serverArguments(handed, call);
    const file = system === undefined ? undefined : writeSystemPrompt(await context.scratch(), system);
    const release = (): void => {
      if (file !== undefined) rmSync(file, { force: true });
      handed.release();
      if (kind) this.warm.refill(kind);
    };
    // A tool that runs ends with it, and no other is started. After SIGTERM the agent would go on for a second.
    const spawn: SpawnOptions = { ...environment, firstSignal: hasTools ? 'SIGINT' : 'SIGTERM' };
    const notes = account === undefined ? undefined : new OwnSessionNotes(account);
    const known = { path, isOfSession: isResumed, notes, ignored, mayAct: hasTools };
    const all = { ...parts, file, keepsSession: account !== undefined, resume, serverArgs };
    // Tool servers of ours end with the step. After a command of the program no model answers.
    const mayStay = warm && handed.servers.length === 0 && !prompt.startsWith('/') && canHoldSessions(flags);
    if (mayStay && notes) {
      const session = { notes, earlier: isResumed ? earlier.state : undefined };
      const work = { call, path, parts: all, spawn, prompt, system, reading, ...session, release };
      const begun = await this.agents.begin(work);
      const again = begun.warm === 'cold' ? undefined : () => this.prepare(request, call, hasTools, earlier);
      return { ...known, ...begun, args: [], spawn: {}, instead: again };
    }
    const reader = new EventReader(reading);
    const input = { ...spawn, input: prompt };
    return { ...known, args: toCommandLine(all), spawn: input, reader, warm: kind && 'cold', release };
  }

  /** Finds the program, and what it can do. */
  private async look(
    call: Call,
    needs: { hasTools: boolean; hasSkills: boolean },
  ): Promise<{ path: string; can: Capabilities }> {
    const { command, permission_mode: permissionMode } = this.context.options;
    const path = await this.findProgram();
    const isSubstitute = command !== undefined && basename(path) !== basename(command);
    if (isSubstitute) this.warnOnce(`${command} was not found: ${path} runs in its place`);
    call.trace(this.traceName('resolve'), { resolved_bin: path, permission_mode: permissionMode });
    const can = await untilAborted(this.probes.get(path), call.signal);
    call.trace(this.traceName('capabilities'), capabilityMetadata(can));
    for (const warning of missingFlags(can, { ...needs, permissionMode }, basename(path))) this.warnOnce(warning);
    return { path, can };
  }

  protected override explain(report: FailureReport, run: FailedRun): DriverFailure {
    return super.explain(classify(report, run.keyName !== undefined), run);
  }

  protected override billing(): string {
    return configuredBilling(this.context.options) ?? super.billing();
  }
}

export default function createDriver(context: DriverContext<Options>): AlphaCliDriver {
  return new AlphaCliDriver(context);
}
