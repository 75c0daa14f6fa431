import type { OpenedDaemon } from '../daemon/project-at-daemon';
import type { ProjectRef } from '../../daemon/control/protocol';
import type { DaemonInfo } from '../../daemon/control/daemon-info';

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
