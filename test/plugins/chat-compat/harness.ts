import type { Call, ChatEvent, ChatRequest, Driver, DriverContext, Logger } from 'drivebay/plugin';
import { HttpPool } from '../../../core/http/http-pool';
import { DriverError } from '../../../core/plugins/driver-error';
import createDriver from '../../../plugins/chat-compat';
import type { Options } from '../../../plugins/chat-compat/options';
import { Upstream } from '../../setup/upstream';

const silent: Logger = { debug: () => undefined, info: () => undefined, warn: () => undefined, error: () => undefined };

/** One driver on a real pool, in front of a scripted server. */
export class Harness {
  private constructor(
    readonly upstream: Upstream,
    readonly driver: Driver,
    private readonly http: HttpPool,
  ) {}

  static async start(options: Partial<Options> = {}, key?: string): Promise<Harness> {
    const upstream = await Upstream.start();
    const makeError: DriverContext['error'] = (code, message, details) => new DriverError(code, message, details);
    const http = new HttpPool(makeError);
    const context: DriverContext<Options> = {
      provider: 'local',
      driver: 'chat-compat',
      options: { base_url: upstream.url, ...options },
      log: silent,
      apiKey: () => key,
      requireApiKey: () => {
        if (key === undefined) throw makeError('auth', 'no key');
        return key;
      },
      error: makeError,
      http,
      resolveBinary: () => Promise.reject(new Error('not used')),
      spawn: () => Promise.reject(new Error('not used')),
      scratch: () => Promise.reject(new Error('not used')),
    };
    return new Harness(upstream, createDriver(context), http);
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
