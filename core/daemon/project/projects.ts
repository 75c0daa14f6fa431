import { statSync } from 'node:fs';
import { join } from 'node:path';
import type { EventStream } from '../../record/event-stream';
import { findPaths } from '../../paths';
import type { Logger } from '../../contract/api';
import type { Redactor } from '../../contract/redact';
import type { Ledger } from '../../record/ledger';
import type { ProjectRef } from '../control/protocol';
import { LogHub } from '../log-hub';
import type { OpenedProject } from './opened-project';

export interface ProjectsParts {
  /** The daemon's: keys and search paths are taken from it. */
  environment: NodeJS.ProcessEnv;
  /**
   * One for all projects: none of their keys may be in any log. It only ever takes texts away, so that projects learn
   * nothing of each other by it.
   */
  redactor: Redactor;
  log: Logger;
  ledger: Ledger;
  stream: EventStream;
}

/** The projects of a daemon: opened when somebody asks, and kept, so that all who use one share its providers. */
export class Projects {
  private readonly opened = new Map<string, { project: Promise<OpenedProject>; trust: number }>();
  /** Were opened before their files were trusted. Something may still run in them. */
  private readonly replaced: Promise<OpenedProject>[] = [];
  private salt: string | undefined;
  private readonly secrets = new Set<string>();

  constructor(private readonly parts: ProjectsParts) {}

  /** Keeps a variable from every program that a driver starts. */
  hide(variable: string): void {
    this.secrets.add(variable);
  }

  /** Rejects with a ConfigError; then nothing is kept. */
  async open(ref: ProjectRef): Promise<OpenedProject> {
    const opened = await this.keptOrMade(ref);
    this.learnKeys(opened);
    return opened;
  }

  private async keptOrMade(ref: ProjectRef): Promise<OpenedProject> {
    const environment = this.environmentFor(ref);
    const { projectRoot, state } = findPaths(environment, ref.workingDirectory);
    const { useProject, demo, trust: mode } = ref;
    const key = JSON.stringify([projectRoot, environment.DRIVEBAY_ENV || 'development', useProject, demo, mode]);
    const trust = trustedAt(state);
    const kept = this.opened.get(key);
    if (kept) {
      const known = await kept.project;
      if (!known.project.isHeld || kept.trust === trust) return known;
      this.replaced.push(kept.project);
    }
    const project = this.make(ref, environment);
    const entry = { project, trust };
    this.opened.set(key, entry);
    try {
      const opened = await project;
      this.parts.stream.publish({ kind: 'daemon', event: { type: 'changed', what: 'projects' } });
      return opened;
    } catch (error) {
      if (this.opened.get(key) === entry) this.opened.delete(key);
      throw error;
    }
  }

  /** Those that are open. */
  async list(): Promise<OpenedProject[]> {
    const all = [...this.replaced, ...[...this.opened.values()].map(({ project }) => project)];
    const settled = await Promise.allSettled(all);
    return settled.flatMap((result) => (result.status === 'fulfilled' ? [result.value] : []));
  }

  async close(): Promise<void> {
    await Promise.all((await this.list()).map(({ project }) => project.close()));
  }

  /** A user may type a key before any driver has asked for it, and a record must not show it. */
  private learnKeys({ project: { environment, variables } }: OpenedProject): void {
    for (const name of variables) {
      const found = environment.get(name);
      if (found) this.parts.redactor.add(found.value);
    }
  }

  private async make(ref: ProjectRef, environment: NodeJS.ProcessEnv): Promise<OpenedProject> {
    const { redactor, ledger, stream } = this.parts;
    const { workingDirectory, useProject, demo } = ref;
    const log = new LogHub(this.parts.log);
    // Configuration, plug-ins and keys: a daemon may do without all that for long.
    const { randomBytes } = require('node:crypto') as typeof import('node:crypto');
    const { openProject } = await import('./project');
    const { OpenedProject: Opened } = require('./opened-project') as typeof import('./opened-project');
    this.salt ??= randomBytes(16).toString('hex');
    const { salt } = this;
    const project = openProject({
      ...{ workingDirectory, environment, useProject, demo },
      ...{ log, redactor, ledger, stream, ownSecrets: this.secrets },
    });
    return new Opened(ref, project, log, salt);
  }

  /** The daemon's, with what the client says of the project. */
  private environmentFor({ drivebayEnv, trust }: ProjectRef): NodeJS.ProcessEnv {
    const environment: NodeJS.ProcessEnv = { ...this.parts.environment, DRIVEBAY_ENV: drivebayEnv };
    if (trust === 'ask') environment.DRIVEBAY_PROJECT_TRUST = 'ask';
    return environment;
  }
}

/** When something was trusted last. */
function trustedAt(state: string): number {
  try {
    return statSync(join(state, 'trust.json')).mtimeMs;
  } catch {
    return 0;
  }
}
