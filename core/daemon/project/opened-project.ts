import { randomBytes } from 'node:crypto';
import type { AgentProject } from '../../agents/agent-project';
import type { Problem } from '../../errors';
import type { Fingerprint, ProjectInfo, ProjectRef } from '../control/protocol';
import { hashFile, hashVariable } from './fingerprint';
import type { LogHub } from './log-hub';
import type { Project } from './project';

/** Variables besides keys that decide what a project is made of. */
const OWN_VARIABLES = ['DRIVEBAY_PLUGIN_PATH'];
/** Of this daemon: the hashes of variables tell nothing across daemons. */
const SALT = randomBytes(16).toString('hex');

export class OpenedProject {
  /** The configuration files, with the hash of each as it was read; null where the file did not exist. */
  readonly files: Readonly<Record<string, string | null>>;
  private notices: Problem[];

  constructor(
    readonly ref: ProjectRef,
    readonly project: Project,
    readonly log: LogHub,
  ) {
    this.files = Object.fromEntries(project.searched.map((file) => [file, hashFile(file)]));
    this.notices = project.notices;
  }

  get agentProject(): AgentProject {
    const { paths, root, devices, standard } = this.project;
    return { root, devices, standard, userSkills: paths.userSkills };
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
      providers: devices.llms().map(({ name, driver, defaultModel: model = null }) => ({ name, driver, model })),
      warnings: [...notices, ...warnings],
      fingerprint: this.fingerprint(),
    };
  }

  /** Leaves out the variables that the project's own files set: the environment of a client does not change them. */
  private fingerprint(): Fingerprint {
    const { environment, variables } = this.project;
    const names = [...variables, ...OWN_VARIABLES].filter((name) => !environment.isFromFile(name));
    const hashes = names.map((name) => [name, hashVariable(SALT, environment.process[name])] as const);
    return { salt: SALT, files: this.files, variables: Object.fromEntries(hashes) };
  }
}
