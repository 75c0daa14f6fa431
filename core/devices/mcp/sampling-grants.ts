import { suggestProvider } from '../../config/did-you-mean';
import type { ServerEntry } from '../../config/mcp/mcp-file';
import { nameOrHidden } from '../../contract/secrets';
import type { Problem } from '../../errors';
import type { LimitBook } from '../../limits/limit-book';
import type { LlmDevice } from '../device';
import type { SamplingGrant } from './sampling';

/** Which tool servers may ask which device, and for how much. */
export class SamplingGrants {
  readonly warnings: Problem[] = [];

  constructor(
    private readonly devices: readonly LlmDevice[],
    private readonly limits: LimitBook | undefined,
  ) {}

  /** Undefined where the entry does not allow it, or its device is not there: then the server may ask nothing. */
  of({ name, values, place }: ServerEntry): SamplingGrant | undefined {
    const { sampling, sampling_route: route = '', sampling_budget_usd: budget_usd } = values;
    // A command that looks at servers counts nothing.
    if (!sampling || !this.limits) return undefined;
    const device = this.devices.find((each) => each.name === route);
    const limits = this.limits.of({ type: 'server', name }, { budget_usd });
    if (device && limits) return { server: name, device, limits };
    const message = `sampling_route: there is no route and no provider ${nameOrHidden(route)}, so tool server "${name}" may ask no model`;
    const hint = suggestProvider(
      route,
      this.devices.map((each) => each.name),
    );
    this.warnings.push({ message, place, hint });
    return undefined;
  }
}
