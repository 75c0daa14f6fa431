import OpenAI from 'openai';
import { runCli } from '../setup/run-cli';
import { RunningGateway } from '../setup/running-gateway';
import { TempHome } from '../setup/temp-home';
import { Upstream } from '../setup/upstream';

export const RIGHT_KEY = 'sk-right-key';
const KEYS = /sk-(right|wrong|other)/;

export interface Vendor {
  driver: string;
  alias: string;
  keyVariable: string;
  /** Further options of the provider with the right key, as YAML. */
  options?: string;
  /** Further variables of the gateway. */
  environment?: Record<string, string>;
  /** Plays the vendor: among others, it wants the key, and refuses a temperature. */
  answer: Parameters<Upstream['answer']>[0];
  /** What it says of a wrong key. */
  refusesKey: string;
}

const tools = [{ type: 'function' as const, function: { name: 'weather', parameters: { type: 'object' } } }];
const question: OpenAI.ChatCompletionMessageParam = { role: 'user', content: 'Weather?' };

/** A vendor behind the gateway, with the official client: providers with the right key, a wrong one and none. */
export class VendorGateway {
  private constructor(
    private readonly vendor: Vendor,
    private readonly home: TempHome,
    readonly upstream: Upstream,
    readonly gateway: RunningGateway,
    private readonly client: OpenAI,
  ) {}

  static async start(vendor: Vendor): Promise<VendorGateway> {
    const { driver, alias, options, environment, answer } = vendor;
    const home = new TempHome();
    const upstream = await Upstream.start();
    upstream.answer(answer);
    const common = `default_model: m, base_url: ${upstream.url}`;
    home.configure(`version: "1"
default_provider: main
providers:
  - { name: main, driver: ${alias}, ${common}${options === undefined ? '' : `, ${options}`} }
  - { name: wrong, driver: ${driver}, ${common}, api_key_env: WRONG_KEY }
  - { name: keyless, driver: ${driver}, ${common}, api_key_env: NO_KEY }
`);
    const env = home.environment({ ...keysOf(vendor), ...environment });
    const gateway = await RunningGateway.start([], { env });
    const client = new OpenAI({ baseURL: `${gateway.url}/v1`, apiKey: 'unused', maxRetries: 0 });
    return new VendorGateway(vendor, home, upstream, gateway, client);
  }

  /** The first answer to a question with a tool: its calls. */
  async calls(streamed: boolean): Promise<OpenAI.ChatCompletionMessage> {
    const request = { model: 'main', messages: [question], tools };
    const { choices } = streamed
      ? await this.client.chat.completions.stream(request).finalChatCompletion()
      : await this.client.chat.completions.create(request);
    expect(choices[0]?.finish_reason).toBe('tool_calls');
    return choices[0]!.message;
  }

  /** The answer to the results of those calls. */
  answerTo(
    message: OpenAI.ChatCompletionMessage,
    results: { id: string; content: string }[],
  ): Promise<OpenAI.ChatCompletion> {
    const said = results.map(({ id, content }) => ({ role: 'tool' as const, tool_call_id: id, content }));
    const messages = [question, { ...message, role: 'assistant' as const }, ...said];
    return this.client.chat.completions.create({ model: 'main', messages, tools });
  }

  /** `providers status`, on the same machine. */
  status() {
    return runCli(['providers', 'status'], { env: this.home.environment(keysOf(this.vendor)) });
  }

  async close(): Promise<void> {
    await this.gateway.stop();
    await this.upstream.close();
    this.home.remove();
  }
}

function keysOf({ keyVariable }: Vendor): Record<string, string> {
  return { [keyVariable]: RIGHT_KEY, WRONG_KEY: 'sk-wrong-key' };
}

/** Starts it before the tests of a file, among them what holds for every vendor. */
export function useVendor(vendor: Vendor): () => VendorGateway {
  let started: VendorGateway;
  beforeAll(async () => {
    started = await VendorGateway.start(vendor);
  });
  afterAll(() => started.close());

  test('a field that the vendor refuses is named in a header', async () => {
    for (const stream of [false, true]) {
      const response = await started.gateway.chat({ model: 'main', temperature: 0.5, stream });
      expect(response.status).toBe(200);
      expect(response.headers.get('x-drivebay-ignored-params')).toBe('temperature');
      expect(await response.text()).toContain('Hi');
    }
  });

  test('a wrong key and a missing one are 502 with what to do, and never shown', async () => {
    const { gateway } = started;
    const [wrong, missing] = await Promise.all([gateway.chat({ model: 'wrong' }), gateway.chat({ model: 'keyless' })]);
    expect([wrong.status, missing.status]).toEqual([502, 502]);
    const said = [await wrong.text(), await missing.text()];
    expect(said).toEqual([expect.stringContaining(vendor.refusesKey), expect.stringContaining('NO_KEY is not set')]);
    expect(said[0]).toContain('WRONG_KEY');
    expect(said.join() + gateway.stdout + gateway.stderr).not.toMatch(KEYS);
  });

  test('the status tells a working key from a wrong and a missing one', async () => {
    const { stdout, stderr } = await started.status();
    expect(stdout).toMatch(/main +http +healthy +m/);
    expect(stdout).toMatch(/wrong +http +offline/);
    expect(stderr).toMatch(new RegExp(`wrong.*${vendor.refusesKey}.*WRONG_KEY`));
    expect(stderr).toMatch(/keyless.*NO_KEY is not set/);
  });

  return () => started;
}
