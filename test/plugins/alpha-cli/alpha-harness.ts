import type { Call, ChatEvent, ChatRequest, Driver, DriverFailure, Workspace } from 'drivebay/plugin';
import { type CliRunRecord, type CliStep, FakeCli } from 'drivebay/testing';
import createDriver from '../../../plugins/alpha-cli';
import type { Options } from '../../../plugins/alpha-cli/options';
import { OpenContext } from '../../setup/open-context';
import { chatRequest, newCall } from '../chat-compat/harness';
import { HELP } from './help';
import { init, result, said } from './lines';

/** Core's own option is among them: stubborn programs shall not hold the tests. */
export const DEFAULTS: Options & { grace_sec: number } = {
  grace_sec: 1,
  permission_mode: 'bypassPermissions',
  extra_args: [],
  gateway_tools: false,
};

export interface Chatted {
  events: ChatEvent[];
  text: string;
  failure?: DriverFailure;
}

export interface ChatOptions {
  request?: Partial<ChatRequest>;
  workspace?: Workspace;
  signal?: AbortSignal;
}

/** The driver in its real context, in front of a fake program. */
export class AlphaHarness {
  readonly traces: [event: string, fields: Record<string, unknown>][] = [];
  readonly driver: Driver;

  private constructor(
    readonly cli: FakeCli,
    readonly open: OpenContext<Options>,
  ) {
    this.driver = createDriver(open.context);
    this.script([init(), said('Hello'), result('Hello')]);
  }

  static async start(options: Partial<Options> = {}, environment: Record<string, string> = {}): Promise<AlphaHarness> {
    const cli = await FakeCli.start({ name: 'claude' });
    const all = { ...DEFAULTS, command: cli.command, ...options };
    return new AlphaHarness(cli, new OpenContext('alpha-cli', all, environment));
  }

  /** What chats do from now on, and what the help says. */
  script(steps: CliStep[] | ((run: CliRunRecord) => CliStep[]), help: CliStep[] = [HELP]): void {
    this.cli.script((run) => {
      if (run.argv.join(' ') === '-p --help') return help;
      return typeof steps === 'function' ? steps(run) : steps;
    });
  }

  chat(options?: ChatOptions): Promise<Chatted> {
    return chatWith(this.driver, this.open, options, this.traces);
  }

  get chats(): CliRunRecord[] {
    return this.cli.runs.filter(({ argv }) => !argv.includes('--help'));
  }

  /** All but the one that whoever tests as root gets. */
  get warnings(): string[] {
    const warnings = this.open.logged.filter(({ level }) => level === 'warn').map(({ message }) => message);
    return warnings.filter((message) => !message.includes('runs as root'));
  }

  async close(): Promise<void> {
    await this.open.close();
    await this.cli.close();
  }
}

/** Runs one chat to its end, or to its failure. */
export async function chatWith(
  driver: Driver,
  { context }: OpenContext<Options>,
  { request = {}, workspace, signal }: ChatOptions = {},
  traces: AlphaHarness['traces'] = [],
): Promise<Chatted> {
  const call: Call = {
    ...newCall(signal),
    log: context.log,
    trace: (event, fields) => void traces.push([event, fields]),
    ...(workspace && { workspace }),
  };
  const events: ChatEvent[] = [];
  const chatted = (failure?: DriverFailure): Chatted => ({
    events,
    text: events.map((event) => (event.type === 'text' ? event.text : '')).join(''),
    ...(failure && { failure }),
  });
  try {
    for await (const event of driver.chat(chatRequest(request), call)) events.push(event);
  } catch (error) {
    return chatted(error as DriverFailure);
  }
  return chatted();
}
