import type { FoundDaemon } from '../../daemon/client/find-daemon';
import type { DaemonInfo } from '../../daemon/control/daemon-info';
import type { ProjectRef } from '../../daemon/control/protocol';
import { explainOffline, type ProviderReport } from '../../devices/describe-device';
import type { OpenedDaemon } from '../daemon/project-at-daemon';

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

/** Such a gateway, used as an OwnGateway. Its log is elsewhere, so the daemon is asked what is wrong with its providers. */
export class OpenGateway {
  readonly key = NO_KEY;
  /** The user keeps it open. */
  readonly isLost = false;
  /** Resolves when the providers have been checked: what is wrong with them is among the warnings. */
  readonly checked: Promise<void>;
  private warnings: string[] = [];

  /** `checks`: the providers that the program is going to ask. */
  constructor(
    { client }: FoundDaemon,
    ref: ProjectRef,
    readonly url: string,
    checks: readonly string[],
  ) {
    const check = async (provider: string) => {
      const query = { ...ref, provider, check: true };
      const { providers } = await client.get<{ providers: ProviderReport[] }>('/v1/providers', query);
      this.warnings.push(...providers.flatMap(faultsOf).map((fault) => `warn ${fault}`));
    };
    // A daemon that cannot say it keeps no program from its start.
    this.checked = Promise.allSettled([...new Set(checks)].map(check)).then(() => undefined);
  }

  /** What the checks have found since the last call, as lines of a log. */
  takeWarnings(): string[] {
    return this.warnings.splice(0);
  }

  endWith(): Promise<void> {
    return Promise.resolve();
  }

  close(): Promise<void> {
    return Promise.resolve();
  }
}

function faultsOf({ name, status, reason, hint, warnings }: ProviderReport): string[] {
  const others = warnings.map((warning) => `${name}: ${warning}`);
  return status === 'offline' ? [explainOffline(name, reason, hint), ...others] : others;
}
