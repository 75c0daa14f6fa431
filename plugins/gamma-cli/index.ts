import { rm } from 'node:fs/promises';
import type { Call, ChatRequest, DriverContext, DriverFailure, Session, Subprocess } from 'drivebay/plugin';
import { findProgram, PerProgram } from '../_shared/cli/ask-program';
import { CliDriver } from '../_shared/cli/cli-driver';
import { type CliRun, folderOf, type RunEnd } from '../_shared/cli/cli-run';
import { withoutTools } from '../_shared/cli/client-tools/client-tools';
import { type FailedRun, type FailureReport, findRule } from '../_shared/cli/explain-by-rules';
import { explainClashes } from '../_shared/cli/extra-args';
import { type Findings, programFindings, SUBSCRIPTION } from '../_shared/cli/findings';
import { plainEnvironment } from '../_shared/cli/plain-environment';
import type { Handed } from '../_shared/cli/tool-servers';
import { Leaving } from '../_shared/cli/warm/leaving';
import { untilAborted } from '../_shared/until-aborted';
import { clientTools, needsSession, refuseTools } from './acp/client-tools';
import { programKind } from './acp/program-kind';
import { WarmChats } from './acp/warm-chats';
import { handServers } from './agent-servers';
import { billing, loginFinding } from './billing';
import { prepareFolder, writeSystemPrompt } from './chat-folder';
import { type Cli, identify } from './cli';
import { clashes, commandLine } from './command-line';
import { ALWAYS, environment, KEYS, type Options, paysByGeminiKey } from './environment';
import { failureRules, startRules, statusOf, trailingMessage, unwrapReport } from './failure-rules';
import { OutputReader } from './output-reader';
import { neededNode } from './package-of';
import { freeRegistry } from './registry-lock';
import { type OwnSession, ownSession, OwnSessionNotes, removeSession } from './session/own-session';

const INSTALL =
  'run: npm install -g @google/gemini-cli (or @qwen-code/qwen-code, with command: qwen) and log in; or set command to its path';

/** Runs Gemini CLI or Qwen Code for each call. */
export class GammaCliDriver extends CliDriver<Options> {
  protected readonly failureRules = failureRules;
  protected override readonly startRules = startRules;
  protected override readonly trial = '-p hello';
  private readonly clis = new PerProgram((path) => identify(this.context, path));
  private readonly leaving = new Leaving();
  private readonly warm: WarmChats;
  /** Whether no argument works against a program that holds sessions. */
  private readonly fits: boolean;

  constructor(context: DriverContext<Options>) {
    const clashing = explainClashes(context.options.extra_args, clashes);
    super(context, clashing);
    const { warm, warm_max: most } = context.options;
    this.fits = clashing.length === 0;
    this.warm = new WarmChats(context, warm && most > 0 && this.fits);
  }

  async metadata(): Promise<Record<string, string>> {
    const { path, dialect } = await this.clis.get(await this.findProgram());
    return { resolved_bin: path, dialect, billing: billing(this.context.options, dialect) };
  }

  protected override async isPaidBySubscription({ path }: CliRun): Promise<boolean> {
    const { dialect } = await this.clis.get(path);
    return billing(this.context.options, dialect) === SUBSCRIPTION;
  }

  async *diagnose(call: Call): Findings {
    const { context } = this;
    const cli = await this.clis.get(await this.findProgram());
    yield* programFindings(context, {
      path: cli.path,
      signal: call.signal,
      keys: cli.dialect === 'qwen' ? ['OPENAI_API_KEY'] : ['GEMINI_API_KEY', 'GOOGLE_API_KEY'],
      env: { ...plainEnvironment(KEYS), ...ALWAYS },
      login: async function* () {
        yield await loginFinding(context.options, cli);
      },
    });
  }

  async close(): Promise<void> {
    this.warm.close();
    await this.leaving.end();
  }

  protected findProgram(): Promise<string> {
    return findProgram(this.context, this.context.options.command, INSTALL);
  }

  protected async prepare(request: ChatRequest, call: Call, hasTools: boolean, earlier?: Session): Promise<CliRun> {
    const { context } = this;
    const { model, messages } = request;
    const { options } = context;
    const cli = await untilAborted(this.clis.get(await this.findProgram()), call.signal);
    call.trace(this.traceName('resolve'), { resolved_bin: cli.path, dialect: cli.dialect, tools: hasTools });
    const hasClient = options.client_tools && !hasTools;
    const client = hasClient ? clientTools(request, context, cli.dialect) : withoutTools(request);
    const isSessionOnly = hasClient && needsSession(client);
    const canHold = !hasTools && this.fits && cli.isKnown;
    if (isSessionOnly && !(canHold && cli.reachesTools)) throw refuseTools(context, cli, true);
    const isWarm = isSessionOnly || (canHold && options.warm);
    const kind = isWarm ? programKind(context, cli, model, this.leaving) : undefined;
    const chat = kind && { request, call, kind, client, isSessionOnly };
    const taken = chat && (await this.warm.take(chat));
    if (taken) return { ...taken, path: cli.path, args: [], spawn: {}, mayAct: false, ignored: client.ignored };
    if (isSessionOnly) throw refuseTools(context, cli, false);

    // An agent needs the CLI's own system prompt: system messages of the caller stand in the prompt.
    const session: OwnSession = this.fits ? await ownSession(context, cli, call, earlier) : {};
    const isResumed = earlier && session.resume !== undefined;
    const untold = isResumed ? messages.slice(earlier.holds) : messages;
    const { system = '', prompt } = context.layoutPrompt(untold, { separateSystem: !hasTools });
    const env = environment(context, cli.dialect);
    const scratch = await context.scratch();
    const paysByKey = cli.dialect === 'gemini' && paysByGeminiKey(options);
    const cwd = folderOf(call) ?? (await prepareFolder(scratch, hasTools ? 'tools' : 'chat', paysByKey));
    const own = hasTools ? undefined : await writeSystemPrompt(scratch, system);
    if (cli.dialect === 'gemini') await freeRegistry();
    // The CLI leaves error reports in TMPDIR that hold the conversation.
    if (own) Object.assign(env, { GEMINI_SYSTEM_MD: own.file, QWEN_SYSTEM_MD: own.file, TMPDIR: own.folder });
    const handed = await handServers(context, call, env, cli);
    const notes = new OwnSessionNotes(session.account);
    return {
      path: cli.path,
      args: commandLine(options, { cli, model, hasTools, resume: session.resume, serverFile: handed.serverFile }),
      // A prompt that begins with a slash would be a command.
      spawn: { cwd, env, input: prompt.startsWith('/') ? ` ${prompt}` : prompt },
      reader: new OutputReader({ refusesRestart: !hasTools, deadline: call.deadline, before: session.before }),
      notes: call.workspace && notes,
      isOfSession: isResumed,
      ignored: client.ignored,
      mayAct: hasTools,
      warm: chat && 'cold',
      release: async (program, said) => {
        await this.leave(cli, { folder: own?.folder ?? session.folder, session: notes.id, handed }, program);
        if (chat && said?.outcome?.type === 'answer') this.warm.refill(chat);
      },
    };
  }

  /** Resolves when nothing of a run is left. */
  private leave(
    { dialect }: Cli,
    { folder, session, handed }: { folder?: string; session?: string; handed: Pick<Handed, 'release'> },
    program?: Pick<Subprocess, 'stop'>,
  ): Promise<void> {
    const leave = async (): Promise<void> => {
      // After its last word, too, the program writes to its folders: a login that it has renewed may be among that.
      await program?.stop({ patienceMs: 2_000 });
      handed.release();
      if (folder !== undefined) await rm(folder, { recursive: true, force: true }).catch(() => undefined);
      if (session !== undefined && !this.context.options.keep_sessions) await removeSession(dialect, session);
      if (dialect === 'gemini') await freeRegistry();
    };
    return this.leaving.add(leave());
  }

  protected override explain(report: FailureReport, run: FailedRun): DriverFailure {
    return super.explain({ ...report, ...unwrapReport(report.text ?? '', report.status) }, run);
  }

  protected override async explainEnd(end: RunEnd, run: FailedRun): Promise<DriverFailure> {
    const { exit, stderr, error } = end;
    const needed = exit.code === 0 ? undefined : await neededNode(run.path, stderr);
    if (needed === undefined) return super.explainEnd(end, run);
    const message = `${run.name} needs Node.js ${needed}, and found an older one on the PATH (${error.message})`;
    return this.context.error('not_installed', message, {
      kind: 'interpreter_missing',
      hint: `install Node.js ${needed}, and ${run.name} with it; or start drivebay where it is the first on the PATH`,
      cause: error,
    });
  }

  protected override judgeEnd(end: RunEnd): FailureReport | undefined {
    const { exit, stderr, error, report } = end;
    if (exit.signal !== null) return undefined;
    const status = statusOf(exit);
    const text = trailingMessage(stderr) ?? super.judgeEnd({ ...end, report: undefined })?.text;
    if (text !== undefined || status !== undefined) return { text: text ?? error.message, status };
    const exitClass = { class: `exit ${exit.code}` };
    return report ?? (findRule(failureRules, exitClass) && { ...exitClass, text: error.message });
  }
}

export default function createDriver(context: DriverContext<Options>): GammaCliDriver {
  return new GammaCliDriver(context);
}
