import { delimiter } from 'node:path';
import { trustMode } from '../../config/trust-mode';
import { changeNotice } from '../../daemon/client/agreement';
import type { FoundDaemon } from '../../daemon/client/find-daemon';
import { type ProjectInfo, projectInfoSchema, type ProjectRef } from '../../daemon/control/protocol';
import { entriesOf } from '../../plugins/discover';
import { workingDirectory } from '../here';
import { printNote, printWarnings } from '../terminal/print';
import { runningDaemon, startDaemonHere } from './running-daemon';

/** Tells the daemon which project this command works in. */
export function projectRef(options: { project: boolean; demo?: boolean }): ProjectRef {
  return {
    workingDirectory: workingDirectory(),
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
 * Opens the project at the daemon, which starts where none runs. Prints the warnings of the project. Throws a ConfigError
 * where the configuration has mistakes.
 */
export async function daemonWith(ref: ProjectRef): Promise<OpenedDaemon> {
  const daemon = (await runningDaemon()) ?? (await startDaemonHere());
  const project = await daemon.client.get('/v1/project', projectInfoSchema, ref);
  printWarnings(project.warnings);
  await sayChanges(daemon.info, project);
  return { ...daemon, project };
}

/** Says after a failure what a user without a configuration can do. */
export function sayUnconfigured({ files, globalConfig }: ProjectInfo): void {
  if (files.length > 0) return;
  printNote(
    `  there is no ${globalConfig}, so the built-in provider was asked; to use what this machine has: drivebay init`,
  );
}

/** Says on stderr which files and variables have changed since the daemon opened the project. */
export async function sayChanges(info: FoundDaemon['info'], { fingerprint }: ProjectInfo): Promise<void> {
  const notice = await changeNotice(info, fingerprint, process.env);
  if (notice !== undefined) printNote(`note: ${notice}`);
}
