import type { DriverContext } from 'drivebay/plugin';
import type { HttpOptions } from '../http/http-driver';
import { exchangingFetch } from './exchange';

const HEADER_TEXT = /^[\t\x20-\x7e\x80-\xff]*$/;

/** The client of an SDK. The key is looked up at each call: a new key makes a new client. */
export class SdkClient<Client> {
  private made: { key: string; client: Client } | undefined;

  /**
   * `load` loads the SDK and returns what makes a client: the first request needs it, a check does not. No environment
   * variable with a name like `variables` has a say in the client.
   */
  constructor(
    private readonly context: DriverContext<HttpOptions>,
    private readonly variables: RegExp,
    private readonly load: () => Promise<(apiKey: string) => Client>,
  ) {}

  /** The key, fit for a header. Checked here, because an SDK puts a key that it cannot send into its error's message. */
  key(): string {
    const key = this.context.requireApiKey();
    if (HEADER_TEXT.test(key)) return key;
    throw this.context.error('auth', 'the key holds characters that no HTTP header may hold', {
      hint: `look for a line break or a quote in ${this.context.options.api_key_env}`,
    });
  }

  async get(): Promise<Client> {
    const key = this.key();
    if (this.made?.key !== key) {
      const make = await this.load();
      this.made = { key, client: withoutVariables(this.variables, () => make(key)) };
    }
    return this.made.client;
  }
}

/**
 * Runs `make` as if no environment variable of those names were set. SDKs take settings from them when a client is made:
 * another address, a second credential, headers. Options do not overrule all of them. `make` is synchronous, so no other
 * code sees the environment without them.
 */
function withoutVariables<T>(names: RegExp, make: () => T): T {
  const hidden = Object.entries(process.env).filter(([name]) => names.test(name));
  for (const [name] of hidden) delete process.env[name];
  try {
    return make();
  } finally {
    for (const [name, value] of hidden) process.env[name] = value;
  }
}

/** The options of a client of the two SDKs that have one generator. Repeating is the HTTP layer's business. */
export function clientOptions(apiKey: string, baseURL: string, query: URLSearchParams) {
  return {
    apiKey,
    baseURL,
    defaultQuery: Object.fromEntries(query),
    fetch: exchangingFetch,
    maxRetries: 0,
    logLevel: 'off' as const,
  };
}
