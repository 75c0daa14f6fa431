import { RestBook } from '../../providers/rest-book';
import type { CommonFlags } from '../command-options';
import { projectRef } from '../daemon/project-at-daemon';
import { runningDaemon } from '../daemon/running-daemon';
import { pathsHere } from '../here';
import { withProjectHere } from '../open-project';
import { printNote } from '../terminal/print';

/** `providers wake`: ends the rests of a provider, or of every target of a route. */
export async function providersWake(name: string, options: CommonFlags): Promise<void> {
  const daemon = await runningDaemon();
  const ended = await (daemon
    ? daemon.client
        .call<{ ended: number }>('POST', '/v1/providers/wake', {
          body: { project: projectRef(options), provider: name },
        })
        .then((answer) => answer.ended)
    : wakeHere(name, options));
  printNote(ended === 0 ? `${name} did not rest` : `${name} is awake: routes ask it first again`);
}

async function wakeHere(name: string, { project: useProject }: CommonFlags): Promise<number> {
  const rests = new RestBook(pathsHere().state, true);
  const ended = withProjectHere({ useProject, rests }, ({ project }) => project.devices.need(name).wake());
  return ended.finally(() => rests.flush());
}
