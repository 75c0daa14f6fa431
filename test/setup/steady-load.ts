import { EventEmitter, once } from 'node:events';
import { Agent, type IncomingMessage, request } from 'node:http';
import { setTimeout as pause } from 'node:timers/promises';

export interface Asked {
  path: string;
  body: Record<string, unknown>;
  /** Before the next one. */
  restMs?: number;
  /** Tells whether the answer is whole. */
  isWhole(status: number, text: string): boolean;
}

/** Clients that each ask one thing after the other, without a pause, until they are told to pause. */
export class SteadyLoad {
  /** What was answered, by the model and the status. */
  readonly answered = new Map<string, number>();
  readonly faults: string[] = [];
  private readonly answers = new EventEmitter();
  private count = 0;
  private agent = new Agent({ keepAlive: true });
  private asking: Promise<unknown> | undefined;
  private isPaused = true;

  constructor(
    private readonly port: number,
    private readonly clients: readonly Asked[],
  ) {}

  start(): void {
    this.isPaused = false;
    this.agent = new Agent({ keepAlive: true });
    this.asking = Promise.all(this.clients.map((client) => this.askOn(client)));
  }

  /** Resolves when the last answer is complete and all connections are closed. */
  async pause(): Promise<void> {
    this.isPaused = true;
    await this.asking;
    this.agent.destroy();
  }

  /** Resolves when so many answers are there that the condition holds. */
  async until(condition: (answers: number) => boolean): Promise<void> {
    while (!condition(this.count)) await once(this.answers, 'answer');
  }

  private async askOn(client: Asked): Promise<void> {
    while (!this.isPaused) {
      const found = await this.ask(client).catch((error: unknown) => ({ status: 0, text: String(error) }));
      const key = `${String(client.body.model)} ${found.status}`;
      this.answered.set(key, (this.answered.get(key) ?? 0) + 1);
      this.count += 1;
      this.answers.emit('answer');
      if (!client.isWhole(found.status, found.text)) {
        this.faults.push(`${key}: ${found.text.slice(-300)}`);
        // Where nothing answers any more, the test must end, too.
        return;
      }
      if (client.restMs) await pause(client.restMs);
    }
  }

  private async ask({ path, body }: Asked): Promise<{ status: number; text: string }> {
    const { port, agent } = this;
    const headers = { 'content-type': 'application/json' };
    const sent = request({ host: '127.0.0.1', port, path, method: 'POST', agent, headers });
    sent.end(JSON.stringify(body));
    const [response] = (await once(sent, 'response')) as [IncomingMessage];
    let text = '';
    for await (const piece of response.setEncoding('utf8') as AsyncIterable<string>) text += piece;
    return { status: response.statusCode ?? 0, text };
  }
}
