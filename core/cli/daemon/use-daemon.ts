import { trustMode } from '../../config/trust-mode';
import { changeNotice } from '../../daemon/client/agreement';
import { findDaemon, type FoundDaemon } from '../../daemon/client/find-daemon';
import { startDaemon } from '../../daemon/client/start-daemon';
import { type ProjectInfo, projectInfoSchema, type ProjectRef } from '../../daemon/control/protocol';
import { findPaths } from '../../paths';
import { printNote, printWarnings } from '../terminal/print';
import { sayVersion } from './running-daemon';
import { workingDirectory } from '../working-directory';

/** The daemon that runs, or a new one in the background. */
export async function ensureDaemon(): Promise<FoundDaemon> {
  const paths = findPaths(process.env, workingDirectory());
  const daemon = (await findDaemon(paths)).daemon ?? (await startDaemon(paths));
  sayVersion(daemon);
  return daemon;
}

/** What a daemon is told of this command's project. */
export function projectRef(options: { project: boolean; demo?: boolean }): ProjectRef {
  return {
    workingDirectory: workingDirectory(),
    useProject: options.project,
    drivebayEnv: process.env.DRIVEBAY_ENV ?? '',
    trust: trustMode(process.env.DRIVEBAY_PROJECT_TRUST),
    demo: options.demo ?? false,
  };
}

/**
 * Opens the project at the daemon. Throws a ConfigError where it is broken; says on stderr what deserves attention, and
 * what has changed since the daemon opened it.
 */
export async function openAtDaemon({ client, info }: FoundDaemon, ref: ProjectRef): Promise<ProjectInfo> {
  const project = await client.get('/v1/project', projectInfoSchema, ref);
  printWarnings(project.warnings);
  sayChanges(info, project);
  return project;
}

export function sayChanges(info: FoundDaemon['info'], { fingerprint }: ProjectInfo): void {
  const notice = changeNotice(info, fingerprint, process.env);
  if (notice !== undefined) printNote(`note: ${notice}`);
}
