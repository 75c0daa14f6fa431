import type { Call, ChatEvent, ChatRequest } from 'drivebay/plugin';
import { FakeCli } from 'drivebay/testing';
import createDriver from '../../../plugins/beta-cli';
import type { BetaCliDriver } from '../../../plugins/beta-cli/beta-cli-driver';
import type { Options } from '../../../plugins/beta-cli/options';
import { OpenContext } from '../../setup/open-context';
import { chatRequest, newCall } from '../chat-compat/harness';

/** Core's own option is among them: stubborn programs shall not hold the tests. */
type AllOptions = Options & { grace_sec: number };

/** One driver, in front of a scripted program. */
export class Harness {
  readonly traced: { event: string; fields: Record<string, unknown> }[] = [];

  private constructor(
    readonly cli: FakeCli,
    readonly driver: BetaCliDriver,
    readonly open: OpenContext<AllOptions>,
  ) {}

  static async start(options: Partial<Options> = {}, environment: Record<string, string> = {}): Promise<Harness> {
    const cli = await FakeCli.start();
    const all = { gateway_tools: false, grace_sec: 1, command: cli.command, ...options };
    const open = new OpenContext<AllOptions>('beta-cli', all, environment);
    return new Harness(cli, createDriver(open.context), open);
  }

  get warnings(): string[] {
    return this.open.logged.filter(({ level }) => level === 'warn').map(({ message }) => message);
  }

  call(fields: Partial<Call> = {}): Call {
    const trace: Call['trace'] = (event, traced) => void this.traced.push({ event, fields: traced });
    return { ...newCall(), trace, ...fields };
  }

  async chat(request: Partial<ChatRequest> = {}, call: Partial<Call> = {}): Promise<ChatEvent[]> {
    const events: ChatEvent[] = [];
    for await (const event of this.driver.chat(chatRequest(request), this.call(call))) events.push(event);
    return events;
  }

  async close(): Promise<void> {
    await this.open.close();
    await this.cli.close();
  }
}
