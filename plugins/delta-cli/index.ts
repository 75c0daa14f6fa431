import type { Call, ChatRequest, CheckResult, DriverContext, DriverFailure } from 'drivebay/plugin';
import { findProgram } from '../_shared/cli/ask-program';
import { CliDriver } from '../_shared/cli/cli-driver';
import type { CliRun } from '../_shared/cli/cli-run';
import type { FailedRun, FailureReport } from '../_shared/cli/explain-by-rules';
import type { Findings } from '../_shared/cli/findings';
import { billing, configuredBilling, environment } from './billing';
import { CHAT_ENVIRONMENT, chatSettings } from './chat-settings';
import { commandLine, explainCodexClashes } from './command-line';
import { diagnose } from './diagnose';
import { EventReader } from './event-reader';
import { failureRules, startRules, unwrapReport } from './failure-rules';
import { type Options, sandboxMode } from './options';
import { serverKind, sharedArguments } from './server-kind';
import { WarmChats } from './warm-chats';

const INSTALL = 'run: npm install -g @openai/codex && codex login; or set command to the path of the program';
const PROXY_VARIABLES = ['HTTPS_PROXY', 'https_proxy', 'ALL_PROXY', 'all_proxy', 'HTTP_PROXY', 'http_proxy'];

/** Runs `codex exec` for each call, or has a program that is kept answer it. */
export class DeltaCliDriver extends CliDriver<Options> {
  protected readonly failureRules = failureRules;
  protected override readonly startRules = startRules;
  protected override readonly silence =
    'its own configuration may make it wait for an MCP server, a hook or its backend';
  protected override readonly trial = 'exec --skip-git-repo-check hello';

  private readonly warm: WarmChats;
  /** The user's arguments for a program that is kept. Undefined: none is kept, not with arguments that may work against it. */
  private readonly extra: readonly string[] | undefined;

  constructor(context: DriverContext<Options>) {
    const clashing = explainCodexClashes(context.options);
    super(context, clashing);
    const { log, options } = context;
    this.warm = new WarmChats(context);
    this.extra = options.warm && clashing.length === 0 ? sharedArguments(options.extra_args) : undefined;
    if (sandboxMode(options) === 'danger-full-access') {
      log.warn('sandbox_mode danger-full-access: commands of the model run without a sandbox, with all your rights');
    }
  }

  override async check(call: Call): Promise<CheckResult> {
    const { detail } = await super.check(call);
    return {
      detail: `${detail}, billing: ${(await configuredBilling(this.context.options)) ?? "the program's login"}`,
    };
  }

  async metadata(): Promise<Record<string, string>> {
    const path = await this.findProgram();
    const { context } = this;
    return {
      resolved_bin: path,
      sandbox_mode: sandboxMode(context.options),
      billing: await billing(context, path),
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
    return findProgram(this.context, this.context.options.command, INSTALL);
  }

  protected async prepare(request: ChatRequest, call: Call, hasTools: boolean): Promise<CliRun> {
    const { context } = this;
    const { options } = context;
    const input = context.layoutPrompt(request.messages).prompt;
    const path = await this.findProgram();
    const sandbox = sandboxMode(options);
    call.trace(this.traceName('resolve'), { resolved_bin: path, sandbox_mode: sandbox, tools: hasTools });
    // The CLI sees the same variables. Some models keep their tools in a chat.
    const usesProxy = PROXY_VARIABLES.some((name) => process.env[name]);
    const run = (): Promise<CliRun> => this.runOf(request, hasTools, { path, input, usesProxy });
    if (hasTools || !this.extra) return run();

    const kind = await serverKind(context, path, this.extra);
    const release = (): void => this.warm.refill(kind);
    const cold = async (): Promise<CliRun> => ({ ...(await run()), warm: 'cold', release });
    const taken = await this.warm.take({ request, call, kind, prompt: input, usesProxy });
    return taken ? { ...taken, path, args: [], spawn: {}, mayAct: true, instead: cold } : cold();
  }

  private async runOf(
    { model, reasoningEffort: effort }: ChatRequest,
    hasTools: boolean,
    { path, input, usesProxy }: { path: string; input: string; usesProxy: boolean },
  ): Promise<CliRun> {
    const env = { ...environment(this.context), ...(!hasTools && CHAT_ENVIRONMENT) };
    const settings = hasTools ? [] : await chatSettings();
    const args = commandLine(this.context.options, { model, effort, settings });
    return { path, args, spawn: { env, input }, reader: new EventReader(usesProxy), mayAct: true };
  }

  protected override explain(report: FailureReport, run: FailedRun): DriverFailure {
    return super.explain(unwrapReport(report), run);
  }
}

export default function createDriver(context: DriverContext<Options>): DeltaCliDriver {
  return new DeltaCliDriver(context);
}
