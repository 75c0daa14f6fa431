import { randomBytes } from 'node:crypto';
import { rmSync } from 'node:fs';
import { formatProblem } from '../../errors';
import type { Call, ChatEvent, ChatRequest, Driver, Logger, Workspace } from '../../contract/api';
import { Redactor } from '../../contract/redact';
import { makeLogger } from '../../contract/make-logger';
import type { Manifest } from '../../plugins/manifest';
import { asEvents } from '../../providers/check-event';
import type { Provider } from '../../providers/provider';
import { makeProvider } from '../check/make-provider';
import { temporaryFolder } from '../check/temporary-folder';
import type { Ability, Backend, ReceivedChat, RunningBackend, ScriptedAnswer, Situation } from '../fakes/backend';
import { ask, scripted } from '../fakes/requests';
import { type ReadAnswer, readAnswer } from './read-answer';
import type { Subject } from './read-subject';
import { warmUp } from './warm-up';
import { ConformanceError } from './within';

const KEY_NAME = 'KIT_API_KEY';
/** The grace period of a driver may be longer than a test. */
const GRACE_S = 1;

type Next = Parameters<RunningBackend['script']>[0];

export interface StageParts {
  subject: Subject;
  backend: Backend;
  options: Record<string, unknown>;
  /** Whether each case meets a driver that keeps a program. */
  keeps?: boolean;
}

/** One provider on one fresh backend, made as the daemon makes it. Records the logs and traces of the driver. */
export class Stage {
  /** The API key of the provider. No other text contains it. */
  key = newKey();
  readonly logs: { level: keyof Logger; message: string; fields?: Record<string, unknown> }[] = [];
  readonly traces: { event: string; fields: Record<string, unknown> }[] = [];
  readonly folder = temporaryFolder('drivebay-kit');
  /** What Drivebay would take out of the texts that it shows. */
  readonly redactor = new Redactor();
  hasKey = true;
  private readonly log = makeLogger((level, message, fields) => void this.logs.push({ level, message, fields }));
  private environment: NodeJS.ProcessEnv = {};
  private keyName = KEY_NAME;
  private made: Provider | undefined;
  private readonly others: Stage[] = [];
  private warming: Promise<void> | undefined;
  private next: Next | undefined;
  /** How many chats had reached the backend before the case began. */
  private earlier = 0;

  private constructor(
    private readonly parts: StageParts,
    readonly backend: RunningBackend,
  ) {}

  static async open(parts: StageParts): Promise<Stage> {
    return new Stage(parts, await parts.backend.start());
  }

  get manifest(): Manifest {
    return this.parts.subject.manifest;
  }

  /** The folder with the code of the driver. */
  get directory(): string {
    return this.parts.subject.codeDirectory;
  }

  can(ability: Ability): boolean {
    return this.parts.backend.cannot?.[ability] === undefined;
  }

  async another(): Promise<Stage> {
    const other = await Stage.open(this.parts);
    this.others.push(other);
    return other;
  }

  script(next: Next): Promise<void> {
    this.next = next;
    return this.backend.script(next);
  }

  /** Besides `script`: what a driver asks before a chat, such as a token, is answered. */
  scriptChats(situation: Situation): Promise<void> {
    return this.script({ ...situation, chatsOnly: true });
  }

  /** The provider. The first call makes it, with the current options of the backend and with `more`. */
  provider(more: Record<string, unknown> = {}): Provider {
    return (this.made ??= this.make(more));
  }

  /** The variable of the key gets another value, as a user changes it in a file. */
  renewKey(): void {
    this.environment[this.keyName] = this.key = newKey();
  }

  driver(): Promise<Driver> {
    return this.provider().openDriver();
  }

  /** Starts a chat on the driver itself, past the provider. */
  async start(request: ChatRequest, signal?: AbortSignal, workspace?: Workspace): Promise<AsyncIterable<ChatEvent>> {
    const isAbsent = typeof this.next === 'object' && this.next.type === 'absent';
    if (this.parts.keeps && this.hasKey && !isAbsent) await (this.warming ??= this.warm(request));
    return asEvents((await this.driver()).chat(request, { ...this.call(signal), ...(workspace && { workspace }) }));
  }

  async chat(request: ChatRequest, signal?: AbortSignal, workspace?: Workspace): Promise<ReadAnswer> {
    return readAnswer(await this.start(request, signal, workspace), () => this.backend.waitsFor?.());
  }

  /** Scripts one answer and asks for it. The options change the answer, the request and the situation. */
  async answer(
    fields: Partial<ScriptedAnswer> = {},
    request: Partial<ChatRequest> = {},
    situation: Partial<Extract<Situation, { type: 'answer' }>> = {},
  ): Promise<ReadAnswer> {
    const answer = scripted(fields);
    await this.script({ ...situation, type: 'answer', answer });
    return this.chat(ask(answer, request));
  }

  call(signal: AbortSignal = new AbortController().signal): Call {
    const trace = (event: string, fields: Record<string, unknown>) => void this.traces.push({ event, fields });
    return { id: `kit-${++calls}`, signal, deadline: Date.now() + 60_000, log: this.log, trace };
  }

  /** The chats of the case. */
  received(): ReceivedChat[] {
    return this.backend.received().slice(this.earlier);
  }

  lastReceived(): ReceivedChat {
    const chat = this.received().at(-1);
    if (!chat) throw new ConformanceError('no chat reached the backend');
    return chat;
  }

  async closeProvider(): Promise<void> {
    await this.made?.close();
  }

  async close(): Promise<void> {
    for (const other of this.others) await other.close();
    await this.closeProvider();
    await this.backend.close();
    rmSync(this.folder, { recursive: true, force: true });
  }

  private async warm(request: ChatRequest): Promise<void> {
    await this.backend.script({ type: 'answer', answer: scripted() });
    await warmUp(this, request);
    this.earlier = this.backend.received().length;
    if (this.next) await this.backend.script(this.next);
  }

  private make(more: Record<string, unknown>): Provider {
    const { subject } = this.parts;
    const declares = (option: string) => Object.hasOwn(subject.manifest.options, option);
    const options = {
      ...(declares('api_key_env') && { api_key_env: KEY_NAME }),
      ...(declares('grace_sec') && { grace_sec: GRACE_S }),
      ...this.parts.options,
      ...this.backend.options,
      ...more,
    };
    this.keyName = String(options.api_key_env ?? KEY_NAME);
    this.environment = { ...process.env, ...(this.hasKey && { [this.keyName]: this.key }) };
    const { provider, problems, warnings } = makeProvider(subject, options, {
      source: 'the options of the test',
      environment: this.environment,
      log: this.log,
      redactor: this.redactor,
      cacheDirectory: this.folder,
    });
    if (!provider || warnings.length > 0)
      throw new ConformanceError([...problems, ...warnings].map(formatProblem).join('; '));
    return provider;
  }
}

const newKey = () => `kit-${randomBytes(12).toString('hex')}`;

let calls = 0;
