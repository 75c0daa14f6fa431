import { readClientKeys } from '../../config/client-keys';
import type { GatewayOptions } from '../../gateway/gateway-options';
import type { Project } from '../project/project';

/** Says which clients of a project cannot ask a gateway with these options. */
export function warnOfKeys(
  { clients, environment }: Pick<Project, 'clients' | 'environment'>,
  { access, metrics, log }: Pick<GatewayOptions, 'access' | 'metrics' | 'log'>,
): void {
  if (!clients) return;
  for (const { fault } of readClientKeys({ entries: clients, environment }))
    if (fault) log.warn(`${fault.message}; ${fault.hint}`);
  if (access.keyDigest) return;
  if (metrics) {
    log.warn(
      'the metrics are for the owner alone, and this gateway knows no key of the owner; to give it one: drivebay serve --metrics --api-key-env NAME',
    );
  }
  if (clients.length > 0) return;
  log.warn('clients is an empty list, so no key opens this gateway; to make one: drivebay clients new NAME');
}
