import type { Call, ChatRequest, DriverContext, DriverFailure, Session } from 'drivebay/plugin';
import { CliDriver } from '../_shared/cli/cli-driver';
import type { CliRun, RunEnd } from '../_shared/cli/cli-run';
import { findRule, type FailedRun, type FailureReport } from '../_shared/cli/explain-by-rules';
import { type Findings, programFindings } from '../_shared/cli/findings';
import { keyedEnvironment } from '../_shared/cli/plain-environment';
import { untilAborted } from '../_shared/until-aborted';
import { EventReader } from './event-reader';
import { failureRules, startRules } from './failure-rules';
import { type Options, ownSession, OwnSessionNotes } from './own-session';
import { loginFinding, ProgramFinder } from './program';

const LOGIN_TOKEN = 'CURSOR_AUTH_TOKEN';
/** Each of them wins over the login, and may be of another account. */
const KEYS = ['CURSOR_API_KEY', LOGIN_TOKEN];
/** What the CLI takes for a command, one for the shell, or a task for an agent in the cloud. */
const COMMAND = /^[/!&]/;

/** Runs `agent --print` for each call. */
export class BetaCliDriver extends CliDriver<Options> {
  protected readonly failureRules = failureRules;
  protected override readonly startRules = startRules;
  private readonly finder: ProgramFinder;

  constructor(context: DriverContext<Options>) {
    super(context);
    this.finder = new ProgramFinder(context);
  }

  async metadata(): Promise<Record<string, string>> {
    return { resolved_bin: await this.findProgram(), billing: this.billing() };
  }

  async *diagnose(call: Call): Findings {
    const path = await this.findProgram();
    yield* programFindings(this.context, { path, signal: call.signal, keys: KEYS, login: loginFinding });
  }

  protected findProgram(): Promise<string> {
    return this.finder.find();
  }

  protected async prepare(
    { model, messages }: ChatRequest,
    call: Call,
    hasTools: boolean,
    earlier?: Session,
  ): Promise<CliRun> {
    const { context } = this;
    const session = await ownSession(context, call, earlier);
    const isResumed = earlier && session?.id !== undefined;
    const { prompt } = context.layoutPrompt(isResumed ? messages.slice(earlier.holds) : messages);
    // A token of the login is no key: it goes under its own name.
    const env = keyedEnvironment(context, KEYS, (name) => [name === LOGIN_TOKEN ? name : 'CURSOR_API_KEY']);
    const path = await untilAborted(this.findProgram(), call.signal);
    call.trace(this.traceName('resolve'), { resolved_bin: path, tools: hasTools });
    return {
      path,
      args: commandLine(model, hasTools, session?.id),
      spawn: { env, input: COMMAND.test(prompt) ? ` ${prompt}` : prompt },
      reader: new EventReader(!call.workspace, session?.id),
      notes: session && new OwnSessionNotes(session.account),
      isOfSession: isResumed,
      mayAct: hasTools,
    };
  }

  /** Some builds repeat their events on the standard error: the words of the model are no reason. */
  protected override explainEnd(end: RunEnd, run: FailedRun): DriverFailure | Promise<DriverFailure> {
    const lines = end.stderr.split('\n').filter((line) => line.trim() !== '');
    const own = lines.filter((line) => !/^\s*\{|\}\s*$/.test(line));
    const { code, kind, hint, message } = end.error;
    if (own.length === lines.length) return super.explainEnd(end, run);
    const said = own.length === 0 ? '' : `: ${own.at(-1)}`;
    const error = this.context.error(code, message.replace(/: \{[^]*$/, said), { kind, hint, cause: end.error });
    return super.explainEnd({ ...end, stderr: own.join('\n'), error }, run);
  }

  /** The CLI breaks its longer messages into lines. */
  protected override explain(report: FailureReport, run: FailedRun): DriverFailure {
    return super.explain({ ...report, text: report.text?.replace(/\s+/g, ' ') }, run);
  }

  protected override judgeEnd({ report, stderr, noise, exit }: RunEnd): FailureReport | undefined {
    if (report || exit.signal !== null) return report;
    const messages = [noise.join('\n'), stderr].map((text) => ({ text: text.replace(/\s+/g, ' ') }));
    return messages.find((message) => findRule(failureRules, message)?.match);
  }
}

/** The CLI reads the prompt from its standard input. */
function commandLine(model: string | undefined, hasTools: boolean, chat: string | undefined): string[] {
  const args = ['--print', '--output-format', 'stream-json', '--stream-partial-output'];
  // Without it, the CLI refuses to work in a folder that the user has not trusted. It grants no tool anything.
  args.push('--trust');
  // Tools cannot ask. In a chat they have no switch: the mode `ask` leaves those that read, and the folder is empty.
  args.push(...(hasTools ? ['--force', '--approve-mcps'] : ['--mode', 'ask']));
  if (chat !== undefined) args.push('--resume', chat);
  return model === undefined ? args : [...args, '--model', model];
}

export default function createDriver(context: DriverContext<Options>): BetaCliDriver {
  return new BetaCliDriver(context);
}
