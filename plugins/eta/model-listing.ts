import type { DriverContext } from 'drivebay/plugin';
import { isFields, textOf } from '../_shared/fields';
import { requireHeaderKey } from '../_shared/sdk/header-key';
import type { Listing, ModelPage } from '../_shared/sdk/model-list';
import type { Endpoint } from './endpoint';
import { explainError } from './explain-error';
import { keyHeaders, SAMPLING_VERSION } from './key-headers';
import type { Options } from './options';

/** As many as the vendor gives at once. */
const PAGE_SIZE = '1000';

export function makeListing(context: DriverContext<Options>, { models, isVendor }: Endpoint): Listing {
  return {
    url: (token) => {
      const url = new URL(models);
      url.searchParams.set('limit', PAGE_SIZE);
      if (token !== undefined) url.searchParams.set('after_id', token);
      return url;
    },
    headers: () => {
      const headers = Object.entries(keyHeaders(requireHeaderKey(context), isVendor, SAMPLING_VERSION));
      return Object.fromEntries(
        headers.flatMap(([name, value]) => (value === null ? [] : [[name.toLowerCase(), value]])),
      );
    },
    read: readModelPage,
    explain: (failure, url) => explainError(context, failure, url),
  };
}

function readModelPage(answer: unknown): ModelPage | undefined {
  if (!isFields(answer) || !Array.isArray(answer.data)) return undefined;
  const names = answer.data.flatMap((entry: unknown) => (isFields(entry) ? (textOf(entry.id) ?? []) : []));
  return { names, next: answer.has_more === true ? textOf(answer.last_id) : undefined };
}
