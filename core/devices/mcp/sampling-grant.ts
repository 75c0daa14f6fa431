import { suggestProvider } from '../../config/did-you-mean';
import type { ServerEntry } from '../../config/mcp/mcp-file';
import { nameOrHidden } from '../../contract/secrets';
import type { Problem } from '../../errors';
import type { LimitBook } from '../../limits/limit-book';
import type { LlmDevice } from '../device';
import type { SamplingGrant } from './sampling';

/**
 * Which device a tool server may ask, and for how much. Undefined where its entry does not allow it, or the device is not there:
 * then the server may ask nothing.
 */
export function samplingGrant(
  { name, values, place }: ServerEntry,
  devices: readonly LlmDevice[],
  book: LimitBook | undefined,
  warnings: Problem[],
): SamplingGrant | undefined {
  const { sampling, sampling_route: route = '', sampling_budget_usd: budget_usd } = values;
  // A command that looks at servers counts nothing.
  if (!sampling || !book) return undefined;
  const device = devices.find((each) => each.name === route);
  const limits = book.of({ type: 'server', name }, { budget_usd });
  if (device && limits) return { server: name, device, limits };
  const message = `sampling_route: there is no route and no provider ${nameOrHidden(route)}, so tool server "${name}" may ask no model`;
  const names = devices.map((each) => each.name);
  warnings.push({ message, place, hint: suggestProvider(route, names) });
  return undefined;
}
