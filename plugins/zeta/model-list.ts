import type { Call, CheckResult, DriverContext, DriverFailure } from 'drivebay/plugin';
import { modelsUrl, type Endpoint } from './endpoint';
import { explainError } from './explain-error';
import { readModelPage, type ModelPage } from './model-page';
import type { Options } from './options';

/** As many as the vendor gives at once. */
const PAGE_SIZE = '1000';
/** A server without a model list can still chat. */
const NO_LIST_STATUS = new Set([404, 405, 501]);

/** Asks for the model list. Without the SDK, so that a check does not have to load it. */
export class ModelList {
  constructor(
    private readonly context: DriverContext<Options>,
    private readonly endpoint: Endpoint,
  ) {}

  async check(key: string, call: Call): Promise<CheckResult> {
    const page = await this.page(key, call);
    if (page === 'none') return { detail: 'reachable, offers no model list' };
    if (page) return { detail: page.names.length === 1 ? '1 model' : `${page.names.length} models` };
    const { origin, pathname } = modelsUrl(this.endpoint);
    return { warnings: [`${origin}${pathname} is no model list: check base_url`] };
  }

  async names(key: string, call: Call): Promise<string[]> {
    const names: string[] = [];
    const seen = new Set<string>();
    for (let token: string | undefined = ''; token !== undefined && !seen.has(token);) {
      seen.add(token);
      const page = await this.page(key, call, token);
      if (!page || page === 'none') break;
      names.push(...page.names);
      token = page.nextPageToken;
    }
    return names;
  }

  private async page(key: string, { signal }: Call, token = ''): Promise<ModelPage | 'none' | undefined> {
    const url = modelsUrl(this.endpoint, { pageSize: PAGE_SIZE, ...(token !== '' && { pageToken: token }) });
    const headers = { accept: 'application/json', 'user-agent': 'drivebay', 'x-goog-api-key': key };
    try {
      const response = await this.context.http.request(url, { headers, signal });
      if (NO_LIST_STATUS.has(response.status)) {
        response.discard();
        return 'none';
      }
      if (response.status < 200 || response.status > 299) throw await response.error();
      return readModelPage(JSON.parse(await response.text()));
    } catch (error) {
      if ((error as Error).name === 'SyntaxError') return undefined;
      throw explainError(this.context, url, error as DriverFailure);
    }
  }
}
