import { delimiter, dirname } from 'node:path';
import { trustMode } from '../../config/trust-mode';
import { changeNotices, HOW_TO_RELOAD } from '../../daemon/client/agreement';
import type { FoundDaemon } from '../../daemon/client/find-daemon';
import type { Fingerprint, ProjectInfo, ProjectRef } from '../../daemon/control/protocol';
import { codeOf } from '../../errors';
import { entriesOf } from '../../plugins/discover';
import { printNote, printWarningsFor } from '../terminal/print';
import { workingDirectory } from '../here';
import { runningDaemon, withDaemon } from './running-daemon';

/** Tells the daemon which project this command works in. */
export function projectRef(
  options: { project: boolean; demo?: boolean },
  folder: string = workingDirectory(),
): ProjectRef {
  return {
    workingDirectory: folder,
    useProject: options.project,
    drivebayEnv: process.env.DRIVEBAY_ENV ?? '',
    pluginPath: entriesOf(process.env.DRIVEBAY_PLUGIN_PATH).join(delimiter),
    trust: trustMode(process.env.DRIVEBAY_PROJECT_TRUST),
    demo: options.demo ?? false,
  };
}

/** A daemon that has opened the project of this command. */
export interface OpenedDaemon extends FoundDaemon {
  project: ProjectInfo;
}

/**
 * Opens the project at the daemon, which starts where none runs. Prints the warnings of the project; `asked` names the
 * providers that the command asks, where it asks no other. Throws a ConfigError where the configuration has mistakes.
 */
export async function daemonWith(
  ref: ProjectRef,
  provider?: string,
  asked: (project: ProjectInfo) => readonly (string | null | undefined)[] = () => [provider],
): Promise<OpenedDaemon> {
  return withDaemon(await runningDaemon(), async (daemon) => {
    const project = await openAtDaemon(daemon, ref, provider);
    printWarningsFor(asked(project), project.providers, project.warnings);
    return { ...daemon, project };
  });
}

/**
 * Opens the project at a daemon that runs. Says on stderr which files and variables the daemon sees otherwise. `provider`:
 * the one that the command uses, whose key alone matters then.
 */
export async function openAtDaemon(daemon: FoundDaemon, ref: ProjectRef, provider?: string): Promise<ProjectInfo> {
  const project = await bringKeys(daemon, ref);
  const { fingerprint, providers } = project;
  const compared = !provider ? fingerprint : withKeyOf(provider, providers, fingerprint);
  const notices = await changeNotices(daemon.info, compared, process.env, () => findMistakes(ref));
  for (const notice of notices) printNote(`note: ${notice}`);
  return project;
}

/** The daemon still serves what it has read, so only this program sees what the files have become. */
async function findMistakes({ workingDirectory: folder, useProject }: ProjectRef): Promise<string | undefined> {
  const { openProjectHere } = await import('../open-project');
  try {
    await openProjectHere({ folder, useProject }).project.close();
  } catch (error) {
    if (codeOf(error) === 'config_invalid') return `drivebay config check${useProject ? '' : ' --no-project'}`;
  }
  return undefined;
}

/** Opens the project, and gives it the keys of this terminal that the daemon lacks. */
export async function bringKeys({ client }: FoundDaemon, ref: ProjectRef): Promise<ProjectInfo> {
  const { otherVariables } = await import('../../daemon/project/fingerprint');
  const project = await client.get<ProjectInfo>('/v1/project', { ...ref });
  const names = otherVariables(project.fingerprint, process.env);
  if (names.length === 0) return project;
  const body = { project: ref, variables: Object.fromEntries(names.map((name) => [name, process.env[name]])) };
  const { fingerprint } = await client.call<ProjectInfo>('POST', '/v1/project/variables', { body });
  return { ...project, fingerprint };
}

/** The fingerprint without the keys of all other providers. */
function withKeyOf(used: string, providers: ProjectInfo['providers'], fingerprint: Fingerprint): Fingerprint {
  const key = providers.find(({ name }) => name === used)?.key;
  const others = new Set(providers.map((provider) => provider.key).filter((name) => name !== key));
  const kept = Object.entries(fingerprint.variables).filter(([name]) => !others.has(name));
  return { ...fingerprint, variables: Object.fromEntries(kept) };
}

/** Says after a failure what a user without a configuration can do. */
export async function sayUnconfigured(project: ProjectInfo): Promise<void> {
  if (project.files.length > 0) return;
  const unread = await unreadConfig(project);
  printNote(
    unread === undefined
      ? `  there is no ${project.globalConfig}, so the built-in provider was asked; to use what this machine has: drivebay init`
      : `  ${unread}`,
  );
}

/** The words for a daemon without a configuration, where a file is there by now. */
export async function unreadConfig({ fingerprint }: Pick<ProjectInfo, 'fingerprint'>): Promise<string | undefined> {
  // Speed: a command in a folder with a configuration loads neither.
  const [{ configPlaces }, { changedFiles }] = await Promise.all([
    import('../../config/find-config'),
    import('../../daemon/project/fingerprint'),
  ]);
  const isNew = (file: string) => fingerprint.files[file] === null && configPlaces(dirname(file)).includes(file);
  const file = Object.keys(changedFiles(fingerprint)).find(isNew);
  return file && `${file} was not there when the daemon read its configuration; ${HOW_TO_RELOAD}`;
}
