import type { Call, ChatEvent, ChatRequest, Driver, DriverContext, DriverFactory, Logger } from 'drivebay/plugin';
import { DriverError } from '../../core/contract/driver-error';
import type { HttpOptions } from '../../plugins/_shared/http/http-driver';
import { OpenContext } from '../setup/open-context';
import { type RecordedRequest, Upstream } from '../setup/upstream';

const silent: Logger = { debug: () => undefined, info: () => undefined, warn: () => undefined, error: () => undefined };

/** One driver on a real context, in front of a scripted server. */
export class DriverHarness {
  private constructor(
    readonly upstream: Upstream,
    readonly driver: Driver,
    private readonly open: OpenContext<object>,
  ) {}

  /** `options` are those of the manifest; `base_url` is the server's unless given. `apiKey` looks the key up. */
  static async start(
    createDriver: DriverFactory<HttpOptions>,
    options: Partial<HttpOptions> = {},
    apiKey: () => string | undefined = () => undefined,
  ): Promise<DriverHarness> {
    const upstream = await Upstream.start();
    const open = new OpenContext<object>('tested', { base_url: upstream.url, ...options });
    const requireApiKey = () => {
      const found = apiKey();
      if (found === undefined) throw new DriverError('auth', 'no key');
      return found;
    };
    const context = { ...open.context, apiKey, requireApiKey } as DriverContext<HttpOptions>;
    return new DriverHarness(upstream, await createDriver(context), open);
  }

  async chat(request: Partial<ChatRequest> = {}, signal?: AbortSignal): Promise<ChatEvent[]> {
    const events: ChatEvent[] = [];
    for await (const event of this.driver.chat(chatRequest(request), newCall(signal))) events.push(event);
    return events;
  }

  /** The counts that a chat yields before it fails. */
  async countedBeforeFailure(request: Partial<ChatRequest>): Promise<ChatEvent[]> {
    const counted: ChatEvent[] = [];
    const asking = async () => {
      for await (const event of this.driver.chat(chatRequest(request), newCall())) {
        if (event.type === 'usage') counted.push(event);
      }
    };
    await expect(asking()).rejects.toThrow();
    return counted;
  }

  check() {
    return this.driver.check(newCall()) as Promise<unknown>;
  }

  /** The body to which a request leads. */
  async sent(request: Partial<ChatRequest> = {}): Promise<RecordedRequest['body']> {
    await this.chat(request);
    return this.bodies().at(-1);
  }

  /** The fields of a request that the driver reports as ignored. */
  async ignoredBy(request: Partial<ChatRequest>): Promise<string[]> {
    return (await this.chat(request)).flatMap((event) => (event.type === 'meta' ? (event.ignored ?? []) : []));
  }

  /** All bodies that the server got. */
  bodies(): RecordedRequest['body'][] {
    return this.upstream.requests.map(({ body }) => body);
  }

  async close(): Promise<void> {
    await this.open.close();
    await this.upstream.close();
  }
}

/** A fresh driver in each test of the file. */
export function useDriver(start: () => Promise<DriverHarness>): () => DriverHarness {
  let harness: DriverHarness;
  beforeEach(async () => {
    harness = await start();
  });
  afterEach(() => harness.close());
  return () => harness;
}

export function chatRequest(fields: Partial<ChatRequest> = {}): ChatRequest {
  const messages: ChatRequest['messages'] = [{ role: 'user', parts: [{ type: 'text', text: 'Hi' }] }];
  return { model: 'm', stream: false, messages, extra: {}, ...fields };
}

export function newCall(signal: AbortSignal = new AbortController().signal): Call {
  return { id: 'call-1', signal, deadline: Date.now() + 10_000, log: silent, trace: () => undefined };
}
