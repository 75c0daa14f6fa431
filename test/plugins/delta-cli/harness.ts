import type { Call, ChatEvent, ChatRequest } from 'drivebay/plugin';
import { FakeCli } from 'drivebay/testing';
import createDriver from '../../../plugins/delta-cli';
import type { DeltaCliDriver } from '../../../plugins/delta-cli/delta-cli-driver';
import type { Options } from '../../../plugins/delta-cli/options';
import { OpenContext } from '../../setup/open-context';
import { chatRequest, newCall } from '../chat-compat/harness';

export const DEFAULTS: Options = {
  command: 'codex',
  sandbox_mode: 'workspace-write',
  extra_args: [],
  gateway_tools: false,
  grace_sec: 1,
};

/** One driver, in front of a scripted program. */
export class Harness {
  readonly traced: { event: string; fields: Record<string, unknown> }[] = [];

  private constructor(
    readonly cli: FakeCli,
    readonly driver: DeltaCliDriver,
    readonly open: OpenContext<Options>,
  ) {}

  static async start(options: Partial<Options> = {}, environment: Record<string, string> = {}): Promise<Harness> {
    const cli = await FakeCli.start({ name: 'codex' });
    const open = new OpenContext<Options>('delta-cli', { ...DEFAULTS, command: cli.command, ...options }, environment);
    return new Harness(cli, createDriver(open.context), open);
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

  async close(): Promise<void> {
    await this.open.close();
    await this.cli.close();
  }
}

export function textOf(events: ChatEvent[]): string {
  return events.map((event) => (event.type === 'text' ? event.text : '')).join('');
}
