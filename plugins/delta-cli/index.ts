import type { Call, ChatRequest, CheckResult, DriverContext, DriverFailure, Session } from 'drivebay/plugin';
import { findProgram } from '../_shared/cli/ask-program';
import { CliDriver } from '../_shared/cli/cli-driver';
import type { CliRun } from '../_shared/cli/cli-run';
import { needsHolder, withoutTools } from '../_shared/cli/client-tools/client-tools';
import { explainByRules, type FailedRun, type FailureReport, type FailureRule } from '../_shared/cli/explain-by-rules';
import { handOver } from '../_shared/cli/tool-servers';
import type { Findings } from '../_shared/cli/findings';
import type { TakenChat } from '../_shared/cli/warm/begin-turn';
import { Leaving } from '../_shared/cli/warm/leaving';
import { ProgramEnded } from '../_shared/cli/warm/program-ended';
import { asksForForm } from '../_shared/http/answer-schema';
import { Refusal } from './app-server';
import { serverSettings } from './agent-servers';
import { billing, configuredBilling, environment, hasSubscription } from './billing';
import { CHAT_ENVIRONMENT, chatSettings } from './chat-settings';
import { clientTools, strictSchema } from './client-tools';
import { commandLine, explainCodexClashes } from './command-line';
import { diagnose } from './diagnose';
import { EventReader } from './event-reader';
import { failureRules, startRules, unwrapReport } from './failure-rules';
import { type Options, sandboxMode } from './options';
import { type OwnSession, ownSession, OwnSessionNotes } from './own-session';
import { serverKind, sharedArguments } from './server-kind';
import { WarmChats } from './warm-chats';

/** A program that takes no thread with tools, images or a schema. */
const REFUSED: FailureRule = {
  ...{ kind: 'rejected', code: 'invalid_request', param: 'tools' },
  hint: 'update the CLI: npm install -g @openai/codex; or leave out the tools, the images and the response_format of the request',
};
const INSTALL = 'run: npm install -g @openai/codex && codex login; or set command to the path of the program';
const PROXY_VARIABLES = ['HTTPS_PROXY', 'https_proxy', 'ALL_PROXY', 'all_proxy', 'HTTP_PROXY', 'http_proxy'];

/** Runs `codex exec` for each call, or has a program that is kept answer it. */
export class DeltaCliDriver extends CliDriver<Options> {
  protected readonly failureRules = failureRules;
  protected override readonly startRules = startRules;
  protected override readonly silence =
    'its own configuration may make it wait for an MCP server, a hook or its backend';
  protected override readonly trial = 'exec --skip-git-repo-check hello';

  protected override readonly honoured: readonly string[];
  private readonly warm: WarmChats;
  private readonly leaving = new Leaving();
  /** The user's arguments for a program that has threads. Undefined: it has none, not with arguments that may work against it. */
  private readonly extra: readonly string[] | undefined;
  private readonly hasClashes: boolean;

  constructor(context: DriverContext<Options>) {
    const clashing = explainCodexClashes(context.options);
    super(context, clashing);
    const { log, options } = context;
    this.honoured = options.client_tools && !options.gateway_tools ? ['response_format'] : [];
    this.hasClashes = clashing.length > 0;
    this.extra = clashing.length === 0 ? sharedArguments(options.extra_args) : undefined;
    this.warm = new WarmChats(context, options.warm && this.extra !== undefined);
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
    return this.leaving.end();
  }

  protected override isPaidBySubscription(): Promise<boolean> {
    return hasSubscription(this.context.options);
  }

  protected findProgram(): Promise<string> {
    return findProgram(this.context, this.context.options.command, INSTALL);
  }

  protected async prepare(request: ChatRequest, call: Call, hasTools: boolean, earlier?: Session): Promise<CliRun> {
    const { context } = this;
    const { options } = context;
    const takesTools = options.client_tools && !hasTools;
    const client = takesTools ? clientTools(request, context) : withoutTools(request);
    const schema = takesTools && this.extra ? strictSchema(request) : undefined;
    const ignored =
      takesTools && !schema && asksForForm(request) ? [...client.ignored, 'response_format'] : client.ignored;
    const isThreadOnly = schema !== undefined || (takesTools && needsHolder(client.request, client.tools));
    const session = this.hasClashes ? undefined : await ownSession(context, call, earlier);
    const isNext = earlier && session?.id !== undefined;
    const messages = isNext ? request.messages.slice(earlier.holds) : request.messages;
    const layout = (): string => context.layoutPrompt(messages).prompt;
    const input = isThreadOnly ? undefined : layout();
    const path = await this.findProgram();
    const sandbox = sandboxMode(options);
    call.trace(this.traceName('resolve'), { resolved_bin: path, sandbox_mode: sandbox, tools: hasTools });
    // The CLI sees the same variables. Some models keep their tools in a chat.
    const usesProxy = PROXY_VARIABLES.some((name) => process.env[name]);
    const run = async (): Promise<CliRun> => {
      const parts = { path, input: input ?? layout(), usesProxy, session };
      return { ...(await this.runOf(request, call, hasTools, parts)), ignored };
    };
    if (hasTools || !(isThreadOnly || (this.extra && options.warm))) return run();
    if (!this.extra) {
      const why = new Refusal('extra_args hold what codex app-server does not take');
      throw this.refuseThread(why, path, request.model);
    }

    const kind = await serverKind(context, path, this.extra, this.leaving);
    const chat = { call, kind, client, schema, usesProxy, layout, messages: request.messages };
    const toRun = (taken: TakenChat): CliRun => ({ ...taken, path, args: [], spawn: {}, mayAct: true, ignored });
    const cold = async (): Promise<CliRun> => {
      if (!isThreadOnly) return { ...(await run()), warm: 'cold', release: () => this.warm.refill(kind) };
      const started = this.warm.start(chat).catch((error: Error) => {
        throw this.refuseThread(error, path, request.model);
      });
      return toRun(await started);
    };
    const taken = await this.warm.take(chat);
    return taken ? { ...toRun(taken), instead: cold } : cold();
  }

  /** For what no run of its own could serve. */
  private refuseThread(error: Error, path: string, model: string | undefined): Error {
    const { context } = this;
    if ('code' in error || error instanceof ProgramEnded) return error;
    const run = this.describe(path, model);
    if (error instanceof Refusal) {
      return explainByRules(context, [...startRules, REFUSED], { text: error.message }, run);
    }
    return context.error('upstream', `${run.name} took no chat: ${error.message}`, { kind: 'crashed', cause: error });
  }

  private async runOf(
    { model, reasoningEffort: effort }: ChatRequest,
    call: Call,
    hasTools: boolean,
    { path, input, usesProxy, session }: { path: string; input: string; usesProxy: boolean; session?: OwnSession },
  ): Promise<CliRun> {
    const changes = environment(this.context);
    const handed = await handOver(this.context, call, changes);
    const own = await serverSettings(handed, call, this.context, changes);
    const env = { ...changes, ...(!hasTools && CHAT_ENVIRONMENT), ...own.env };
    const settings = hasTools ? own.settings : await chatSettings();
    const args = commandLine(this.context.options, { model, effort, settings, session });
    return {
      ...{ path, args, spawn: { env, input }, mayAct: true, isOfSession: session?.id !== undefined },
      release: handed.release,
      reader: new EventReader(usesProxy, session?.used),
      notes: session && new OwnSessionNotes(session),
    };
  }

  protected override explain(report: FailureReport, run: FailedRun): DriverFailure {
    return super.explain(unwrapReport(report), run);
  }
}

export default function createDriver(context: DriverContext<Options>): DeltaCliDriver {
  return new DeltaCliDriver(context);
}
