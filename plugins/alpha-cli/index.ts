import { rmSync } from 'node:fs';
import { basename } from 'node:path';
import type { Call, ChatRequest, CheckResult, DriverContext, DriverFailure } from 'drivebay/plugin';
import { PerProgram } from '../_shared/cli/ask-program';
import { CliDriver } from '../_shared/cli/cli-driver';
import type { CliRun } from '../_shared/cli/cli-run';
import type { FailedRun, FailureReport } from '../_shared/cli/explain-by-rules';
import { explainClashes, matchesFlag } from '../_shared/cli/extra-args';
import type { Findings } from '../_shared/cli/findings';
import { untilAborted } from '../_shared/until-aborted';
import { capabilityMetadata, missingFlags, probeCapabilities } from './capabilities';
import { clashes, toCommandLine } from './command-line';
import { diagnose } from './diagnose';
import { childEnvironment } from './environment';
import { EventReader } from './event-reader';
import { classify, failureRules, startRules } from './failure-rules';
import type { Options } from './options';
import { resolveBinary } from './program';
import { toPrompt, writeSystemPrompt } from './prompt';

/** The program takes this one for a subscription. */
const SUBSCRIPTION_TOKEN = 'CLAUDE_CODE_OAUTH_TOKEN';
/** Each of them makes the program use a cloud account in place of a login or a key. */
const CLOUDS = ['CLAUDE_CODE_USE_BEDROCK', 'CLAUDE_CODE_USE_VERTEX', 'CLAUDE_CODE_USE_FOUNDRY'];

/** Runs Claude Code in print mode, one process per chat. */
export class AlphaCliDriver extends CliDriver<Options> {
  protected readonly failureRules = failureRules;
  protected override readonly startRules = startRules;
  protected override readonly honoured = ['max_tokens'];
  protected override readonly trial = '-p hello';
  protected override readonly silence =
    'it may wait for an answer to a question (log in by hand; with an old version, set permission_mode: ""), or for its API';
  private readonly probes = new PerProgram((path) => probeCapabilities(this.context, path));
  private readonly rootWarning: string | undefined;

  constructor(context: DriverContext<Options>) {
    const { extra_args: extraArgs, permission_mode: permissionMode } = context.options;
    super(context, explainClashes(extraArgs, clashes));
    this.rootWarning = rootWarning(permissionMode, process.env, process.getuid?.());
    if (this.rootWarning !== undefined) this.warnOnce(this.rootWarning);
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

  protected findProgram(): Promise<string> {
    return resolveBinary(this.context);
  }

  protected async prepare(request: ChatRequest, call: Call, hasTools: boolean): Promise<CliRun> {
    const { context } = this;
    const { options } = context;
    const { workspace, deadline } = call;
    const { model, reasoningEffort: effort, maxTokens } = request;
    const { permission_mode: permissionMode, extra_args: extraArgs } = options;
    if (effort) context.argument(effort, 'reasoning_effort');
    const environment = childEnvironment(context, { ...request, isPlainText: !workspace });

    const path = await this.findProgram();
    const isSubstitute = options.command !== undefined && basename(path) !== basename(options.command);
    if (isSubstitute) this.warnOnce(`${options.command} was not found: ${path} runs in its place`);
    call.trace(this.traceName('resolve'), { resolved_bin: path, permission_mode: permissionMode });
    const can = await untilAborted(this.probes.get(path), call.signal);
    call.trace(this.traceName('capabilities'), capabilityMetadata(can));
    const directories = workspace?.skills.map((skill) => skill.directory) ?? [];
    const needs = { permissionMode, hasSkills: directories.length > 0, hasTools };
    for (const warning of missingFlags(can, needs, basename(path))) this.warnOnce(warning);

    // The program refuses to start with two system prompts: the user's is passed, and ours stands in the prompt.
    const flag = hasTools ? '--append-system-prompt' : '--system-prompt';
    const isTaken = extraArgs.some((argument) => matchesFlag(argument, [flag, `${flag}-file`]));
    const separateSystem = !isTaken && can.flags.has(`${flag}-file`);
    const { system, prompt } = toPrompt(request, context, { workspace, separateSystem });
    const file = system === undefined ? undefined : writeSystemPrompt(await context.scratch(), system);
    return {
      path,
      args: toCommandLine({
        ...can,
        permissionMode,
        model,
        effort,
        hasTools,
        directories,
        extraArgs,
        file,
      }),
      spawn: {
        ...environment,
        // A tool that runs ends with it, and no other is started. After SIGTERM the agent would go on for a second.
        firstSignal: hasTools ? 'SIGINT' : 'SIGTERM',
        input: prompt,
      },
      reader: new EventReader({
        endsAtLimit: maxTokens !== undefined && !hasTools,
        refusesRestart: !workspace,
        deadline,
      }),
      mayAct: hasTools,
      release: () => file !== undefined && rmSync(file, { force: true }),
    };
  }

  protected override explain(report: FailureReport, run: FailedRun): DriverFailure {
    return super.explain(classify(report, run.keyName !== undefined), run);
  }

  protected override billing(): string {
    const { api_key_env: keyName } = this.context.options;
    const cloud = CLOUDS.find((variable) => /^(?:1|true|yes|on)$/i.test(process.env[variable] ?? ''));
    if (cloud !== undefined) return `cloud account (${cloud})`;
    return keyName === SUBSCRIPTION_TOKEN ? `subscription (${keyName})` : super.billing();
  }
}

/** The program refuses this itself, with exit code 1 and one line, so the warning comes before the first request. */
export function rootWarning(
  permissionMode: string,
  environment: NodeJS.ProcessEnv,
  userId: number | undefined,
): string | undefined {
  const isSandbox = environment.IS_SANDBOX === '1' || environment.CLAUDE_CODE_BUBBLEWRAP === '1';
  if (permissionMode !== 'bypassPermissions' || isSandbox || userId !== 0) return undefined;
  const way =
    'run it as another user, set permission_mode: acceptEdits, or, in a container, start it with IS_SANDBOX=1';
  return `Claude Code refuses permission_mode bypassPermissions as root, and drivebay runs as root: ${way}`;
}

export default function createDriver(context: DriverContext<Options>): AlphaCliDriver {
  return new AlphaCliDriver(context);
}
