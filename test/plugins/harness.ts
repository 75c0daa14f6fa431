import type { Call, ChatEvent, ChatRequest, Driver, DriverContext, DriverFactory, Logger } from 'drivebay/plugin';
import { HttpPool } from '../../core/http/http-pool';
import { DriverError } from '../../core/plugins/driver-error';
import { Upstream } from '../setup/upstream';

const silent: Logger = { debug: () => undefined, info: () => undefined, warn: () => undefined, error: () => undefined };

/** One driver on a real pool, in front of a scripted server. */
export class DriverHarness {
  private constructor(
    readonly upstream: Upstream,
    readonly driver: Driver,
    private readonly http: HttpPool,
  ) {}

  /** `options` are those of the manifest; `base_url` is the server's unless given. */
  static async start<Options extends object>(
    createDriver: DriverFactory<Options>,
    options: Partial<Options> = {},
    key?: string | (() => string | undefined),
  ): Promise<DriverHarness> {
    const upstream = await Upstream.start();
    const makeError: DriverContext['error'] = (code, message, details) => new DriverError(code, message, details);
    const http = new HttpPool(makeError);
    const apiKey = typeof key === 'function' ? key : () => key;
    const driver = await createDriver({
      provider: 'local',
      driver: 'tested',
      options: { base_url: upstream.url, ...options } as unknown as Options,
      log: silent,
      apiKey,
      requireApiKey: () => {
        const found = apiKey();
        if (found === undefined) throw makeError('auth', 'no key');
        return found;
      },
      error: makeError,
      http,
      resolveBinary: () => Promise.reject(new Error('not used')),
      spawn: () => Promise.reject(new Error('not used')),
      scratch: () => Promise.reject(new Error('not used')),
    });
    return new DriverHarness(upstream, driver, http);
  }

  async chat(request: Partial<ChatRequest> = {}, signal?: AbortSignal): Promise<ChatEvent[]> {
    const events: ChatEvent[] = [];
    for await (const event of this.driver.chat(chatRequest(request), newCall(signal))) events.push(event);
    return events;
  }

  async close(): Promise<void> {
    await this.http.close();
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
