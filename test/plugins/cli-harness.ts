import { setTimeout as pause } from 'node:timers/promises';
import type {
  Call,
  ChatEvent,
  ChatRequest,
  Driver,
  DriverContext,
  DriverFailure,
  Session,
  Warmth,
  Workspace,
} from 'drivebay/plugin';
import { type CliRunRecord, type CliStep, FakeCli } from 'drivebay/testing';
import { OpenContext } from '../setup/open-context';
import { chatRequest, newCall } from './harness';

/** Whether the drivers keep programs, as they do by default. `npm run test:warm` runs the tests of all of them so. */
export const WARM = process.env.DRIVEBAY_TEST_WARM === 'true';

type Probe = (run: CliRunRecord) => CliStep[] | undefined;
type Steps = CliStep[] | ((run: CliRunRecord) => CliStep[]);

interface Tested<Options extends object, Tested extends Driver> {
  driver: string;
  createDriver: (context: DriverContext<Options>) => Tested;
  defaults: Options;
  /** What the program is called. */
  program?: string;
  /** A chat, until a test scripts another. */
  answer: Steps;
  /** What the program says to questions about itself. Undefined: the run is a chat. */
  probe?: Probe;
}

/** The driver of an agent CLI in its real context, in front of a fake program. */
export class CliHarness<Options extends object, Tested extends Driver> {
  readonly traced: { event: string; fields: Record<string, unknown> }[] = [];

  constructor(
    readonly cli: FakeCli,
    readonly driver: Tested,
    readonly open: OpenContext<Options>,
    private readonly probe: Probe = () => undefined,
  ) {}

  /** What chats do from now on. */
  script(steps: Steps, probe = this.probe): void {
    this.cli.script((run) => probe(run) ?? (typeof steps === 'function' ? steps(run) : steps));
  }

  /** What the driver warned of, without what tests run by root get. */
  get warnings(): string[] {
    const warnings = this.open.logged.filter(({ level }) => level === 'warn').map(({ message }) => message);
    return warnings.filter((message) => !message.includes('runs as root'));
  }

  get chats(): CliRunRecord[] {
    return this.cli.runs.filter((run) => this.probe(run) === undefined);
  }

  /** The first chat. */
  get run(): CliRunRecord {
    return this.chats[0]!;
  }

  call(fields: Partial<Call> = {}): Call {
    const trace: Call['trace'] = (event, traced) => void this.traced.push({ event, fields: traced });
    return { ...newCall(), trace, log: this.open.context.log, ...fields };
  }

  async chat(request: Partial<ChatRequest> = {}, call: Partial<Call> = {}): Promise<ChatEvent[]> {
    const events: ChatEvent[] = [];
    for await (const event of this.driver.chat(chatRequest(request), this.call(call))) events.push(event);
    return events;
  }

  async text(request: Partial<ChatRequest> = {}, call: Partial<Call> = {}): Promise<string> {
    return textOf(await this.chat(request, call));
  }

  /** The error that a chat ends with. */
  async failure(request: Partial<ChatRequest> = {}, call: Partial<Call> = {}): Promise<DriverFailure> {
    return failureOf(this.chat(request, call));
  }

  /** What the call of an agent process has. */
  get workspace(): Workspace {
    return { workingDirectory: this.open.home.directory, skills: [], first: true };
  }

  /** The pid of a program that is ready, and that none of these is. Resolves when there is one. */
  async untilReady(used: readonly number[] = []): Promise<number> {
    for (;;) {
      const spare = this.open.kept.list().find(({ state, pid }) => state === 'spare' && !used.includes(pid!));
      if (spare) return spare.pid!;
      await pause(5);
    }
  }

  /** Resolves when nothing of any run is left. */
  async untilGone(): Promise<void> {
    await this.cli.until(() => this.cli.processes().length === 0);
  }

  async close(): Promise<void> {
    await this.open.close();
    await this.cli.close();
  }
}

/** Makes the function that starts a harness of one driver. `environment` comes on top of a plain one. */
export function harnessOf<Options extends object, Of extends Driver>(tested: Tested<Options, Of>) {
  return async (
    options: Partial<Options> = {},
    environment: Record<string, string> = {},
    program = tested.program,
  ): Promise<CliHarness<Options, Of>> => {
    const cli = await FakeCli.start(program === undefined ? {} : { name: program });
    // Stubborn programs must not hold the tests.
    const all = { grace_sec: 1, ...tested.defaults, command: cli.command, ...options };
    const open = new OpenContext<Options>(tested.driver, all, environment);
    const harness = new CliHarness(cli, tested.createDriver(open.context), open, tested.probe);
    harness.script(tested.answer);
    return harness;
  };
}

export async function failureOf(work: Promise<unknown>): Promise<DriverFailure> {
  return work.then(
    (result) => Promise.reject(new Error(`it did not fail: ${JSON.stringify(result)}`)),
    (error: unknown) => error as DriverFailure,
  );
}

export function textOf(events: readonly ChatEvent[]): string {
  return events.map((event) => (event.type === 'text' ? event.text : '')).join('');
}

/** How the driver came to the program that answers, as it says first. */
export function warmOf(events: readonly ChatEvent[]): Warmth | undefined {
  return events.flatMap((event) => (event.type === 'meta' && event.warm ? [event.warm] : []))[0];
}

/** The state of each session that an answer tells of. */
export function stateIn(events: readonly ChatEvent[]): Session['state'][] {
  return events.flatMap((event) => (event.type === 'session' ? [event.state] : []));
}

export function user(text: string): ChatRequest['messages'][number] {
  return { role: 'user', parts: [{ type: 'text', text }] };
}

export function valueAfter(argv: readonly string[], flag: string): string | undefined {
  return argv.includes(flag) ? argv[argv.indexOf(flag) + 1] : undefined;
}
