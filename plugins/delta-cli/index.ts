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

const INSTALL = 'run: npm install -g @openai/codex && codex login; or set command to the path of the program';
const PROXY_VARIABLES = ['HTTPS_PROXY', 'https_proxy', 'ALL_PROXY', 'all_proxy', 'HTTP_PROXY', 'http_proxy'];

/** Runs `codex exec` for each call. */
export class DeltaCliDriver extends CliDriver<Options> {
  protected readonly failureRules = failureRules;
  protected override readonly startRules = startRules;
  protected override readonly silence =
    'its own configuration may make it wait for an MCP server, a hook or its backend';
  protected override readonly trial = 'exec --skip-git-repo-check hello';

  constructor(context: DriverContext<Options>) {
    super(context, explainCodexClashes(context.options));
    const { log, options } = context;
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

  protected findProgram(): Promise<string> {
    return findProgram(this.context, this.context.options.command, INSTALL);
  }

  protected async prepare(request: ChatRequest, call: Call, hasTools: boolean): Promise<CliRun> {
    const { context } = this;
    const { options } = context;
    const { model, reasoningEffort: effort } = request;
    const input = context.layoutPrompt(request.messages).prompt;
    const path = await this.findProgram();
    const env = { ...environment(context), ...(!hasTools && CHAT_ENVIRONMENT) };
    const args = commandLine(options, { model, effort, settings: hasTools ? [] : await chatSettings() });
    const sandbox = sandboxMode(options);
    call.trace(this.traceName('resolve'), { resolved_bin: path, sandbox_mode: sandbox, tools: hasTools });
    // The CLI sees the same variables. Some models keep their tools in a chat.
    const usesProxy = PROXY_VARIABLES.some((name) => process.env[name]);
    return { path, args, spawn: { env, input }, reader: new EventReader(usesProxy), mayAct: true };
  }

  protected override explain(report: FailureReport, run: FailedRun): DriverFailure {
    return super.explain(unwrapReport(report), run);
  }
}

export default function createDriver(context: DriverContext<Options>): DeltaCliDriver {
  return new DeltaCliDriver(context);
}
