import { randomBytes } from 'node:crypto';
import { join } from 'node:path';
import type { AgentProject } from '../../agents/agent-project';
import type { LlmDevice } from '../../devices/device';
import type { Problem } from '../../errors';
import type { Plugin } from '../../plugins/discover';
import type { Fingerprint, ProjectInfo, ProjectRef } from '../control/protocol';
import { hashFile, hashVariable } from './fingerprint';
import type { LogHub } from './log-hub';
import type { Project } from './project';

/** Of this daemon: the hashes of variables tell nothing across daemons. */
const SALT = randomBytes(16).toString('hex');

export class OpenedProject {
  /** What the project is made of, with the hash of each file as it was read; null where the file did not exist. */
  readonly files: Readonly<Record<string, string | null>>;
  private notices: Problem[];

  constructor(
    readonly ref: ProjectRef,
    readonly project: Project,
    readonly log: LogHub,
  ) {
    const files = [...project.searched, ...project.plugins.list().flatMap(ownFiles)];
    this.files = Object.fromEntries(files.map((file) => [file, hashFile(file)]));
    this.notices = project.notices;
  }

  get agentProject(): AgentProject {
    const { paths, root, devices, standard, heldServers } = this.project;
    return { root, devices, standard, heldServers, userSkills: paths.userSkills };
  }

  /** What a client is told. Only the first client gets the notices, unless fields still wait for `drivebay trust`. */
  describe(): ProjectInfo {
    const { paths, globalConfig, files, defaultProvider, devices, warnings, isHeld } = this.project;
    const { notices } = this;
    if (!isHeld) this.notices = [];
    return {
      root: paths.projectRoot ?? null,
      globalConfig,
      files,
      defaultProvider: defaultProvider ?? null,
      providers: devices.llms().map(describeBriefly),
      warnings: [...notices, ...warnings],
      fingerprint: this.fingerprint(),
    };
  }

  /** Leaves out the variables that the project's own files set: the environment of a client does not change them. */
  private fingerprint(): Fingerprint {
    const { environment, variables } = this.project;
    const names = variables.filter((name) => !environment.isFromFile(name));
    const hashes = names.map((name) => [name, hashVariable(SALT, environment.process[name])] as const);
    return { salt: SALT, files: this.files, variables: Object.fromEntries(hashes) };
  }
}

/** The files of a plug-in that its author may be working on. A daemon reads them once. */
function ownFiles({ source, directory, codeDirectory, manifest }: Plugin): string[] {
  if (source === 'bundled' || source === 'example') return [];
  return [join(directory, 'manifest.json'), ...(manifest ? [join(codeDirectory, manifest.main)] : [])];
}

export function describeBriefly(device: LlmDevice) {
  const { name, driver, driverAlias, defaultModel, keyVariable, capabilities, contextWindows } = device;
  const known = { tools: capabilities.tools, contextWindows: Object.fromEntries(contextWindows) };
  return { name, driver, driverAlias, model: defaultModel ?? null, key: keyVariable ?? null, ...known };
}
