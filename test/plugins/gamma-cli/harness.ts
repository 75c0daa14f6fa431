import type { Call, ChatEvent, ChatRequest, DriverFailure } from 'drivebay/plugin';
import { FakeCli } from 'drivebay/testing';
import createDriver from '../../../plugins/gamma-cli';
import type { GammaCliDriver } from '../../../plugins/gamma-cli/gamma-cli-driver';
import type { Options } from '../../../plugins/gamma-cli/options';
import { OpenContext } from '../../setup/open-context';
import { chatRequest, newCall } from '../harness';

export const DEFAULTS: Options = { command: 'gemini', extra_args: [], gateway_tools: false, grace_sec: 1 };

/** One driver, in front of a scripted program. */
export class Harness {
  readonly traced: { event: string; fields: Record<string, unknown> }[] = [];

  private constructor(
    readonly cli: FakeCli,
    readonly driver: GammaCliDriver,
    readonly open: OpenContext<Options>,
  ) {}

  /** The program is called `name`. */
  static async start(
    options: Partial<Options> = {},
    environment: Record<string, string> = {},
    name = 'gemini',
  ): Promise<Harness> {
    const cli = await FakeCli.start({ name });
    const open = new OpenContext<Options>('gamma-cli', { ...DEFAULTS, command: cli.command, ...options }, environment);
    return new Harness(cli, createDriver(open.context), open);
  }

  async chat(request: Partial<ChatRequest> = {}, call: Partial<Call> = {}): Promise<ChatEvent[]> {
    const trace: Call['trace'] = (event, fields) => void this.traced.push({ event, fields });
    const events: ChatEvent[] = [];
    for await (const event of this.driver.chat(chatRequest(request), { ...newCall(), trace, ...call }))
      events.push(event);
    return events;
  }

  /** The error that a chat ends with. */
  async failure(request: Partial<ChatRequest> = {}, call: Partial<Call> = {}): Promise<DriverFailure> {
    return this.chat(request, call).then(
      (events) => Promise.reject(new Error(`answered ${JSON.stringify(events)}`)),
      (error: unknown) => error as DriverFailure,
    );
  }

  async close(): Promise<void> {
    await this.open.close();
    await this.cli.close();
  }
}

export function textOf(events: ChatEvent[]): string {
  return events.map((event) => (event.type === 'text' ? event.text : '')).join('');
}
