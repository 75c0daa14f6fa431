import type { FoundDaemon } from '../../daemon/client/find-daemon';
import type { DaemonInfo } from '../../daemon/control/daemon-info';
import type { ProjectRef } from '../../daemon/control/protocol';
import { explainOffline, type ProviderReport } from '../../devices/describe-device';
import type { OpenedDaemon } from '../daemon/project-at-daemon';
import type { UsedGateway } from './own-gateway';

/** What a client sends to a gateway that wants no key. Clients send nothing without one. */
export const NO_KEY = 'unused';

/** An open gateway that serves the same project, and wants no key: that of another one is not known here. */
export function findOpenGateway(
  { listeners }: Pick<DaemonInfo, 'listeners'>,
  { root }: Pick<OpenedDaemon['project'], 'root'>,
  { useProject, pluginPath = '' }: ProjectRef,
): { url: string } | undefined {
  const found = listeners.find(
    (each) =>
      each.serves === 'gateway' &&
      !each.needsKey &&
      !each.demo &&
      each.project === root &&
      each.useProject === useProject &&
      (each.pluginPath ?? '') === pluginPath,
  );
  return found && { url: `http://127.0.0.1:${found.port}` };
}

/** Such a gateway. Its log is elsewhere, so the daemon is asked what is wrong with the providers that the program is going to ask. */
export function useOpenGateway(
  { client }: FoundDaemon,
  ref: ProjectRef,
  url: string,
  checks: readonly string[],
): UsedGateway {
  const warnings: string[] = [];
  const check = async (provider: string) => {
    const query = { ...ref, provider, check: true };
    const { providers } = await client.get<{ providers: ProviderReport[] }>('/v1/providers', query);
    warnings.push(...providers.flatMap(faultsOf).map((fault) => `warning: ${fault}`));
  };
  // A daemon that cannot say it keeps no program from its start.
  const checked = Promise.allSettled([...new Set(checks)].map(check));
  return { url, key: NO_KEY, checked, takeWarnings: () => warnings.splice(0) };
}

function faultsOf({ name, status, reason, hint, warnings }: ProviderReport): string[] {
  const others = warnings.map((warning) => `${name}: ${warning}`);
  return status === 'offline' ? [explainOffline(name, reason, hint), ...others] : others;
}
