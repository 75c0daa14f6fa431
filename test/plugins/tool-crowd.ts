import { setTimeout as pause } from 'node:timers/promises';
import OpenAI from 'openai';
import { RunningGateway } from '../setup/running-gateway';
import type { TempHome } from '../setup/temp-home';

export const CLIENTS = 50;
/** For a longer run: `CROWD_SECONDS=300`. A busy machine takes longer for as many answers. */
export const SECONDS = Number(process.env.CROWD_SECONDS ?? 20);
const RESTART_EVERY_MS = 7000;
const ANSWERS_BETWEEN = 3;
/** After the seconds, until there was enough of everything. */
const PATIENCE_MS = 90_000;

interface Conversations {
  /** The provider that is asked. */
  model: string;
  question: (number: number) => string;
  tools: OpenAI.ChatCompletionTool[];
  /** Whether this is the call that the question leads to. */
  isCall: (args: string, number: number) => boolean;
  /** Whether this answers the question with this result. */
  isRight: (text: string, number: number, value: string) => boolean;
  /** How often a program is killed. */
  killEveryMs: number;
  /** The pids of the programs. */
  living: () => number[];
}

/** Fifty clients whose tools the model calls, while clients leave, programs die and the gateway is killed. */
export class ToolCrowd {
  readonly counts = { right: 0, wrong: [] as string[], honest: [] as string[], left: 0 };
  private gateway!: RunningGateway;
  /** Settled while there is a gateway. */
  private up = Promise.resolve();
  private numbers = 0;

  constructor(
    private readonly home: TempHome,
    private readonly about: Conversations,
  ) {}

  /** Resolves when all have had their time, and the gateway has ended. */
  async run(): Promise<void> {
    this.gateway = await this.start();
    try {
      const end = Date.now() + SECONDS * 1000;
      const isOver = () => Date.now() > end + (this.hasEnough ? 0 : PATIENCE_MS);
      await Promise.all([this.disturb(isOver), ...Array.from({ length: CLIENTS }, () => this.client(isOver))]);
    } finally {
      await this.gateway.stop();
    }
  }

  private get hasEnough(): boolean {
    const { right, honest, left } = this.counts;
    return right > SECONDS && honest.length > 0 && left > 0;
  }

  private start(): Promise<RunningGateway> {
    return RunningGateway.start([], { env: this.home.environment() });
  }

  private async client(isOver: () => boolean): Promise<void> {
    while (!isOver()) {
      try {
        await this.converse((this.numbers += 1));
      } catch (error) {
        if (isHonest(error)) this.counts.honest.push((error as Error).message);
        else this.counts.wrong.push(String(error));
        await this.up;
      }
    }
  }

  /** One conversation: a question, a call, a result, an answer. */
  private async converse(number: number): Promise<void> {
    const { counts, about } = this;
    const asked = { role: 'user', content: about.question(number) } as const;
    const first = await this.ask([asked], Math.random() < 0.1);
    const call = first?.tool_calls?.[0];
    if (!first || Math.random() < 0.1) return void counts.left++;
    if (call?.type !== 'function' || !about.isCall(call.function.arguments, number) || first.tool_calls!.length !== 1) {
      return void counts.wrong.push(`${number} called ${JSON.stringify(first)}`);
    }
    const value = `result ${number}`;
    const result = { role: 'tool', tool_call_id: call.id, content: value } as const;
    const last = await this.ask([asked, first, result], Math.random() < 0.1);
    if (!last) return void counts.left++;
    if (about.isRight(last.content ?? '', number, value)) counts.right++;
    else counts.wrong.push(`${number} got ${JSON.stringify(last)}`);
  }

  /** An answer, streamed or whole; none to a client that leaves. */
  private async ask(messages: OpenAI.ChatCompletionMessageParam[], leaves: boolean) {
    const client = new OpenAI({ baseURL: `${this.gateway.url}/v1`, apiKey: 'unused', maxRetries: 0 });
    const signal = leaves ? AbortSignal.timeout(Math.floor(Math.random() * 300)) : undefined;
    const { model, tools } = this.about;
    const body = { model, messages, tools };
    const made =
      Math.random() < 0.5
        ? client.chat.completions.create(body, { signal })
        : client.chat.completions.stream(body, { signal }).finalChatCompletion();
    try {
      return (await made).choices[0]!.message;
    } catch (error) {
      if (signal?.aborted) return undefined;
      throw error;
    }
  }

  private async disturb(isOver: () => boolean): Promise<void> {
    const { killEveryMs } = this.about;
    for (let passed = killEveryMs; !isOver(); passed += killEveryMs) {
      const { right } = this.counts;
      await pause(killEveryMs);
      // Faster than a busy machine comes to its answers, a disturbance would leave none.
      while (this.counts.right < right + ANSWERS_BETWEEN && !isOver()) await pause(100);
      this.killOne();
      if (passed % RESTART_EVERY_MS >= killEveryMs) continue;
      this.up = this.restart();
      await this.up;
    }
  }

  private killOne(): void {
    const living = this.about.living();
    const victim = living[Math.floor(Math.random() * living.length)];
    try {
      if (victim !== undefined) process.kill(victim, 'SIGKILL');
    } catch {
      // It has just ended by itself.
    }
  }

  private async restart(): Promise<void> {
    await this.gateway.stop('SIGKILL');
    this.gateway = await this.start();
  }
}

/** The program or the gateway was killed, and that is what the client is told. */
function isHonest(error: unknown): boolean {
  if (error instanceof OpenAI.APIConnectionError) return true;
  return (
    error instanceof Error &&
    /was ended by (SIGKILL|a signal)|took no (?:chat: it has ended|session)|terminated|missing finish_reason/.test(
      error.message,
    )
  );
}
