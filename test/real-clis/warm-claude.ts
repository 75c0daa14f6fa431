import type { Call, ChatEvent, ChatRequest, Message } from 'drivebay/plugin';
import { FakeHttpServer, type HttpAnswer, type HttpRequestRecord, json } from 'drivebay/testing';
import createDriver, { type AlphaCliDriver } from '../../plugins/alpha-cli';
import type { Options } from '../../plugins/alpha-cli/environment';
import { DEFAULTS } from '../plugins/alpha-cli/harness';
import { textOf } from '../plugins/cli-harness';
import { chatRequest, newCall } from '../plugins/harness';
import { OpenContext } from '../setup/open-context';
import { until } from '../setup/until';
import { answers } from './claude-answers';
import { installedCli } from './installed-cli';

export interface Chatted {
  text: string;
  warm: string | undefined;
  events: ChatEvent[];
  ms: number;
}

interface SentMessage {
  role: string;
  content: { type: string; text?: string }[];
}

type Answers = HttpAnswer | ((request: HttpRequestRecord) => HttpAnswer);

export const say = (role: Message['role'], text: string): Message => ({ role, parts: [{ type: 'text', text }] });

/** The driver with a real Claude Code, whose backend is played. */
export class WarmClaude {
  private answer: Answers = json({});

  private constructor(
    readonly upstream: FakeHttpServer,
    readonly open: OpenContext<Options>,
    readonly driver: AlphaCliDriver,
  ) {
    // The program greets its backend with requests that are no chats.
    upstream.answer((request) => {
      if (!isChat(request)) return json({});
      return typeof this.answer === 'function' ? this.answer(request) : this.answer;
    });
  }

  static async start(options: Partial<Options> = {}): Promise<WarmClaude> {
    const upstream = await FakeHttpServer.start();
    const command = process.env.WARM_CLAUDE ?? installedCli('claude');
    const open = new OpenContext<Options>(
      'alpha-cli',
      { ...DEFAULTS, command, api_key_env: 'MY_KEY', warm: true, ...options },
      {
        ...{ ANTHROPIC_BASE_URL: upstream.url, IS_SANDBOX: '1', MY_KEY: 'key-of-the-test' },
        ...{ CLAUDE_CODE_DISABLE_NONESSENTIAL_TRAFFIC: '1', CLAUDE_CODE_MAX_RETRIES: '0' },
      },
    );
    return new WarmClaude(upstream, open, createDriver(open.context));
  }

  /** What the backend answers from now on. */
  play(next: Answers): void {
    this.answer = next;
  }

  get chats(): HttpRequestRecord[] {
    return this.upstream.requests.filter(isChat);
  }

  get last(): HttpRequestRecord {
    return this.chats.at(-1)!;
  }

  /** The texts of the user and the model, without what the program adds, in whichever form its version has. */
  get turns(): string[][] {
    return this.blocks.map(({ content }) => content.map(({ text }) => text!));
  }

  /** The same with all blocks. */
  get blocks(): SentMessage[] {
    return (this.last.body.messages as SentMessage[])
      .filter(({ role }) => role !== 'system')
      .map(({ role, content }) => ({
        role,
        content: content.filter(({ text }) => text?.includes('<system-reminder>') !== true),
      }));
  }

  async chat(request: Partial<ChatRequest> = {}, more: Partial<Call> = {}): Promise<Chatted> {
    const call = {
      ...newCall(),
      deadline: Date.now() + 120_000,
      log: this.open.context.log,
      scope: 'the test',
      ...more,
    };
    const events: ChatEvent[] = [];
    const started = performance.now();
    let ms = 0;
    for await (const event of this.driver.chat(chatRequest({ model: 'claude-opus-4-8', ...request }), call)) {
      if (event.type === 'text') ms ||= performance.now() - started;
      events.push(event);
    }
    const warm = events.flatMap((event) => (event.type === 'meta' && event.warm ? [event.warm] : []));
    return { text: textOf(events), warm: warm[0], events, ms };
  }

  /** Resolves when a program is ready for the next chat. */
  untilReady(): Promise<void> {
    return until(() => this.kept('spare'));
  }

  kept(state: string): number {
    return this.open.kept.list().filter((kept) => kept.state === state).length;
  }

  /** Asks once, so that the next chat finds a program. */
  async warmUp(): Promise<void> {
    this.play(answers('Hi.'));
    const { text, warm } = await this.chat({ messages: [say('system', 'Be the first'), say('user', 'The first')] });
    expect([text, warm]).toEqual(['Hi.', 'cold']);
    await this.untilReady();
  }

  async close(): Promise<void> {
    await this.driver.close();
    await this.open.close();
    await this.upstream.close();
  }
}

function isChat({ method, path }: HttpRequestRecord): boolean {
  return method === 'POST' && path.startsWith('/v1/messages');
}
