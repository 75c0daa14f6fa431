import type { Call, CheckResult, DriverFailure, HttpClient } from 'drivebay/plugin';

export interface ModelPage {
  names: string[];
  /** Where the list goes on; undefined on the last page. */
  next: string | undefined;
}

/** How one vendor lists its models. */
export interface Listing {
  /** The address of a page; without a token, of the first. */
  url(token?: string): URL;
  /** Throws where there is no key. */
  headers(): Record<string, string>;
  /** Undefined when the answer is no model list. */
  read(answer: unknown): ModelPage | undefined;
  /** Adds what only the driver knows. */
  explain(failure: DriverFailure, url: URL): Error;
}

/** A server without a model list can still chat. */
const NO_LIST_STATUS = new Set([404, 405, 501]);
/** Of a thousand models each: a list that is longer does not end. */
const PAGE_LIMIT = 20;

/** Asks for the model list. Without the SDK, so that a check does not have to load it. */
export class ModelList {
  constructor(
    private readonly http: HttpClient,
    private readonly listing: Listing,
  ) {}

  async check(call: Call): Promise<CheckResult> {
    const page = await this.page(call);
    if (page === 'none') return { detail: 'reachable, offers no model list' };
    if (page) {
      const count = `${page.names.length}${page.next === undefined ? '' : ' or more'}`;
      return { detail: count === '1' ? '1 model' : `${count} models` };
    }
    const { origin, pathname } = this.listing.url();
    return { warnings: [`${origin}${pathname} is no model list: check base_url`] };
  }

  async names(call: Call): Promise<string[]> {
    const names: string[] = [];
    let token: string | undefined;
    for (let pages = 0; pages < PAGE_LIMIT; pages += 1) {
      const page = await this.page(call, token);
      if (!page || page === 'none') break;
      names.push(...page.names);
      token = page.next;
      if (token === undefined) break;
    }
    return names;
  }

  private async page({ signal }: Call, token?: string): Promise<ModelPage | 'none' | undefined> {
    const url = this.listing.url(token);
    const headers = { accept: 'application/json', 'user-agent': 'drivebay', ...this.listing.headers() };
    try {
      const response = await this.http.request(url, { headers, signal });
      if (NO_LIST_STATUS.has(response.status)) {
        response.discard();
        return 'none';
      }
      if (response.status < 200 || response.status > 299) throw await response.error();
      return this.listing.read(JSON.parse(await response.text()));
    } catch (error) {
      if ((error as Error).name === 'SyntaxError') return undefined;
      throw this.listing.explain(error as DriverFailure, url);
    }
  }
}
