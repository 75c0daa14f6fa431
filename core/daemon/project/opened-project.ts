import { randomBytes } from 'node:crypto';
import { join } from 'node:path';
import type { AgentProject } from '../../agents/agent-project';
import type { LlmDevice } from '../../devices/device';
import type { Plugin } from '../../plugins/discover';
import type { Fingerprint, ProjectInfo, ProjectRef } from '../control/protocol';
import { type FileHashes, hashFile, hashVariable } from './fingerprint';
import type { LogHub } from './log-hub';
import type { MadeDevices } from './made-devices';
import type { Project } from './project';

/** Of this daemon: the hashes of variables tell nothing across daemons. */
const SALT = randomBytes(16).toString('hex');

/** What the files of a project describe at a moment. */
export interface Prepared {
  project: Project;
  files: FileHashes;
}

/** A project of a daemon. A reload puts another state of it in place; what has begun in the earlier one goes on there. */
export class OpenedProject implements AgentProject {
  private current: Prepared;

  constructor(
    readonly ref: ProjectRef,
    readonly log: LogHub,
    /** Reads the files. Throws a ConfigError. */
    private readonly read: (earlier?: Project) => Project,
  ) {
    this.current = prepare(this.read());
  }

  get project(): Project {
    return this.current.project;
  }

  /** What the project is made of, with the hash of each file as it was read; null where the file did not exist. */
  get files(): FileHashes {
    return this.current.files;
  }

  // For agents. A compose file that has begun starts its next agents in what is there then.

  get root() {
    return this.project.root;
  }

  get devices() {
    return this.project.devices;
  }

  get standard() {
    return this.project.standard;
  }

  get heldServers() {
    return this.project.heldServers;
  }

  get userSkills() {
    return this.project.paths.userSkills;
  }

  /** Reads the files again, and changes nothing. Throws a ConfigError. What is not taken has to be discarded. */
  prepare(): Prepared {
    return prepare(this.read(this.project));
  }

  /** Everything that begins from now on finds the devices of `next`. Returns the earlier devices, to be retired. */
  take(next: Prepared): MadeDevices {
    const { made } = this.project;
    this.current = next;
    this.project.made.follow(made);
    return made;
  }

  /** Ends the devices that only `next` has. Where `next` was taken there are none. */
  async discard({ project }: Prepared): Promise<void> {
    await project.made.retire(this.project.made);
  }

  /** What a client is told. */
  describe(): ProjectInfo {
    const { paths, globalConfig, files, defaultProvider, devices, warnings } = this.project;
    return {
      root: paths.projectRoot ?? null,
      globalConfig,
      files,
      defaultProvider: defaultProvider ?? null,
      providers: devices.llms().map(describeBriefly),
      warnings: [...this.project.takeNotices(), ...warnings],
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

function prepare(project: Project): Prepared {
  const files = [...project.searched, ...project.plugins.list().flatMap(ownFiles)];
  return { project, files: Object.fromEntries(files.map((file) => [file, hashFile(file)])) };
}

/** The files of a plug-in that its author may be working on. A daemon reads them when it opens the project, and at a reload. */
function ownFiles({ source, directory, codeDirectory, manifest }: Plugin): string[] {
  if (source === 'bundled' || source === 'example') return [];
  return [join(directory, 'manifest.json'), ...(manifest ? [join(codeDirectory, manifest.main)] : [])];
}

export function describeBriefly(device: LlmDevice) {
  const { name, driver, driverAlias, defaultModel, keyVariable, capabilities, contextWindows } = device;
  const known = { tools: capabilities.tools, contextWindows: Object.fromEntries(contextWindows) };
  return { name, driver, driverAlias, model: defaultModel ?? null, key: keyVariable ?? null, ...known };
}
