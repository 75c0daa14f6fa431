import type { Call, ChatRequest, Diagnosis, DriverContext, DriverFailure } from 'drivebay/plugin';
import { findProgram } from '../_shared/cli/ask-program';
import { CliDriver } from '../_shared/cli/cli-driver';
import type { CliRun, RunEnd } from '../_shared/cli/cli-run';
import { findRule, type FailedRun, type FailureReport } from '../_shared/cli/explain-by-rules';
import { explainClashes } from '../_shared/cli/extra-args';
import { untilAborted } from '../_shared/until-aborted';
import { billing } from './billing';
import { prepareFolder, writeRunFiles } from './chat-folder';
import { CliFinder } from './cli';
import { clashes, commandLine } from './command-line';
import { diagnose } from './diagnose';
import { environment, paysByGeminiKey } from './environment';
import { startRules, statusOf, trailingMessage } from './explain-end';
import { failureRules, unwrapReport } from './failure-rules';
import { neededNode } from './needed-node';
import type { Options } from './options';
import { OutputReader } from './output-reader';

const INSTALL =
  'run: npm install -g @google/gemini-cli (or @qwen-code/qwen-code, with command: qwen) and log in; ' +
  'or set command to the path of the program';

/** Runs Gemini CLI or Qwen Code for each call. */
export class GammaCliDriver extends CliDriver<Options> {
  protected readonly failureRules = failureRules;
  protected override readonly startRules = startRules;
  private readonly finder: CliFinder;
  /** Runs that are over, with files that are not removed yet. */
  private readonly leaving = new Set<Promise<void>>();

  constructor(context: DriverContext<Options>) {
    super(context);
    this.finder = new CliFinder(context);
    for (const clash of explainClashes(context.options.extra_args, clashes)) context.log.warn(clash);
  }

  async metadata(): Promise<Record<string, string>> {
    const { path, dialect } = await this.finder.find(await this.findProgram());
    return { resolved_bin: path, dialect, billing: await billing(this.context.options, dialect) };
  }

  async *diagnose(call: Call): AsyncGenerator<Diagnosis, void, undefined> {
    yield* diagnose(this.context, await this.finder.find(await this.findProgram()), call);
  }

  async close(): Promise<void> {
    await Promise.all(this.leaving);
  }

  protected findProgram(): Promise<string> {
    return findProgram(this.context, this.context.options.command, INSTALL);
  }

  protected async prepare({ model, messages }: ChatRequest, call: Call): Promise<CliRun> {
    const { context } = this;
    const { options } = context;
    const cli = await untilAborted(this.finder.find(await this.findProgram()), call.signal);
    // A chat is talk. An agent process has tools, and so has a gateway call where the provider says so.
    const hasTools = call.workspace !== undefined || options.gateway_tools;
    call.trace(this.traceName('resolve'), { resolved_bin: cli.path, dialect: cli.dialect, tools: hasTools });
    if (model !== undefined) context.argument(model, 'model');
    // An agent needs the CLI's own system prompt: system messages of the caller stand in the prompt.
    const { system = '', prompt } = context.layoutPrompt(messages, { separateSystem: !hasTools });
    const env = environment(context, cli.dialect);
    const scratch = await context.scratch();
    const needs = { hasTools, paysByKey: cli.dialect === 'gemini' && paysByGeminiKey(options) };
    const cwd = call.workspace?.workingDirectory ?? call.workspace?.directory ?? (await prepareFolder(scratch, needs));
    const files = hasTools ? undefined : await writeRunFiles(scratch, system);
    if (files) {
      // The CLI leaves error reports in TMPDIR that hold the conversation.
      Object.assign(env, {
        GEMINI_SYSTEM_MD: files.systemPrompt,
        QWEN_SYSTEM_MD: files.systemPrompt,
        TMPDIR: files.folder,
      });
    }
    return {
      path: cli.path,
      args: commandLine(options, { cli, model, hasTools }),
      // A prompt that begins with a slash would be a command.
      spawn: { cwd, env, input: prompt.startsWith('/') ? ` ${prompt}` : prompt },
      reader: new OutputReader({ refusesRestart: !hasTools, deadline: call.deadline }),
      mayAct: hasTools,
      release: (program) => {
        const release = Promise.resolve(files && program?.stop({ patienceMs: 2_000 })).then(() => files?.remove());
        this.leaving.add(release);
        void release.then(() => this.leaving.delete(release));
      },
    };
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
    const byExitCode = { class: `exit ${exit.code}`, text: error.message };
    return (
      report ?? (findRule(failureRules, byExitCode)?.rule.signs?.includes(byExitCode.class) ? byExitCode : undefined)
    );
  }
}

export default function createDriver(context: DriverContext<Options>): GammaCliDriver {
  return new GammaCliDriver(context);
}
