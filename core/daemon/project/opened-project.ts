import type { AgentProject } from '../../agents/agent-project';
import type { Problem } from '../../errors';
import type { Fingerprint, ProjectInfo, ProjectRef } from '../control/protocol';
import { hashFile, hashVariable } from './fingerprint';
import type { LogHub } from '../log-hub';
import type { Project } from './project';

/** Variables besides keys that say what a project is made of. */
const OWN_VARIABLES = ['DRIVEBAY_PLUGIN_PATH'];

/** A project that the daemon keeps. */
export class OpenedProject {
  /** The configuration files, with the hash of each as it was read; null where it was not there. */
  readonly files: Readonly<Record<string, string | null>>;
  private notices: Problem[];

  constructor(
    readonly ref: ProjectRef,
    readonly project: Project,
    readonly log: LogHub,
    private readonly salt: string,
  ) {
    this.files = Object.fromEntries(project.searched.map((file) => [file, hashFile(file)]));
    this.notices = project.notices;
  }

  /** The project as agents see it. */
  get agentProject(): AgentProject {
    const { paths, root, devices, standard } = this.project;
    return {
      ...(root !== undefined && { root }),
      devices,
      standard,
      userSkills: paths.userSkills,
    };
  }

  /** What a client is told. Notices are for the first one, unless they say what is held back. */
  describe(): ProjectInfo {
    const { paths, globalConfig, files, defaultProvider, devices, warnings, isHeld } = this.project;
    const { notices } = this;
    if (!isHeld) this.notices = [];
    return {
      root: paths.projectRoot ?? null,
      globalConfig,
      files,
      defaultProvider: defaultProvider ?? null,
      providers: devices
        .llms()
        .map(({ name, driver, defaultModel }) => ({ name, driver, model: defaultModel ?? null })),
      warnings: [...notices, ...warnings],
      fingerprint: this.fingerprint(),
    };
  }

  /** Variables that the project's own files set do not depend on anybody's environment. */
  private fingerprint(): Fingerprint {
    const { environment, variables } = this.project;
    const { salt, files } = this;
    const names = [...variables, ...OWN_VARIABLES].filter((name) => !environment.isFromFile(name));
    const hashes = names.map((name) => [name, hashVariable(salt, environment.process[name])] as const);
    return { salt, files, variables: Object.fromEntries(hashes) };
  }
}
