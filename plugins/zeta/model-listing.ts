import type { DriverContext } from 'drivebay/plugin';
import { isFields, textOf } from '../_shared/fields';
import { requireHeaderKey } from '../_shared/sdk/header-key';
import type { Listing, ModelPage } from '../_shared/sdk/model-list';
import { modelsUrl, type Endpoint } from './endpoint';
import { explainError } from './explain-error';
import type { Options } from './options';

/** As many as the vendor gives at once. */
const PAGE_SIZE = '1000';

export function makeListing(context: DriverContext<Options>, endpoint: Endpoint): Listing {
  return {
    url: (token) => modelsUrl(endpoint, { pageSize: PAGE_SIZE, ...(token !== undefined && { pageToken: token }) }),
    headers: () => ({ 'x-goog-api-key': requireHeaderKey(context) }),
    read: readModelPage,
    explain: (failure, url) => explainError(context, url, failure),
  };
}

/** Without models that cannot chat. */
function readModelPage(answer: unknown): ModelPage | undefined {
  if (!isFields(answer) || !Array.isArray(answer.models)) return undefined;
  const models = answer.models.filter(isFields).filter(({ supportedGenerationMethods: methods }) => {
    return !Array.isArray(methods) || methods.includes('generateContent');
  });
  const names = models.flatMap(({ name }) => textOf(name)?.replace(/^models\//, '') ?? []);
  return { names, next: textOf(answer.nextPageToken) };
}
