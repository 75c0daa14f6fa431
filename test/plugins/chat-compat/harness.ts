import type { Call, ChatEvent, ChatRequest, Driver, Logger } from 'drivebay/plugin';
import createDriver from '../../../plugins/chat-compat';
import type { Options } from '../../../plugins/chat-compat/options';
import { OpenContext } from '../../setup/open-context';
import { Upstream } from '../../setup/upstream';

const silent: Logger = { debug: () => undefined, info: () => undefined, warn: () => undefined, error: () => undefined };

/** One driver on a real pool, in front of a scripted server. */
export class Harness {
  private constructor(
    readonly upstream: Upstream,
    readonly driver: Driver,
    private readonly open: OpenContext<Options>,
  ) {}

  static async start(options: Partial<Options> = {}, key?: string): Promise<Harness> {
    const upstream = await Upstream.start();
    const environment: Record<string, string> = key === undefined ? {} : { [options.api_key_env ?? 'SOME_KEY']: key };
    const open = new OpenContext<Options>('chat-compat', { base_url: upstream.url, ...options }, environment);
    return new Harness(upstream, createDriver(open.context), open);
  }

  async chat(request: Partial<ChatRequest> = {}, signal?: AbortSignal): Promise<ChatEvent[]> {
    const events: ChatEvent[] = [];
    for await (const event of this.driver.chat(chatRequest(request), newCall(signal))) events.push(event);
    return events;
  }

  async close(): Promise<void> {
    await this.open.close();
    await this.upstream.close();
  }
}

export function chatRequest(fields: Partial<ChatRequest> = {}): ChatRequest {
  const messages: ChatRequest['messages'] = [{ role: 'user', parts: [{ type: 'text', text: 'Hi' }] }];
  return { model: 'm', stream: false, messages, extra: {}, ...fields };
}

export function newCall(signal: AbortSignal = new AbortController().signal): Call {
  return { id: 'call-1', signal, deadline: Date.now() + 10_000, log: silent, trace: () => undefined };
}
