import type { Call, ChatEvent, ChatRequest, Driver, DriverContext, DriverFactory, Logger } from 'drivebay/plugin';
import { DriverError } from '../../core/contract/driver-error';
import { OpenContext } from '../setup/open-context';
import { Upstream } from '../setup/upstream';

const silent: Logger = { debug: () => undefined, info: () => undefined, warn: () => undefined, error: () => undefined };

/** One driver on a real context, in front of a scripted server. */
export class DriverHarness {
  private constructor(
    readonly upstream: Upstream,
    readonly driver: Driver,
    private readonly open: OpenContext<object>,
  ) {}

  /** `options` are those of the manifest; `base_url` is the server's unless given. */
  static async start<Options extends object>(
    createDriver: DriverFactory<Options>,
    options: Partial<Options> = {},
    key?: string | (() => string | undefined),
  ): Promise<DriverHarness> {
    const upstream = await Upstream.start();
    const open = new OpenContext<object>('tested', { base_url: upstream.url, ...options });
    const apiKey = typeof key === 'function' ? key : () => key;
    const requireApiKey = () => {
      const found = apiKey();
      if (found === undefined) throw new DriverError('auth', 'no key');
      return found;
    };
    const context = { ...open.context, apiKey, requireApiKey } as DriverContext<Options>;
    return new DriverHarness(upstream, await createDriver(context), open);
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
