import { statSync } from 'node:fs';
import { trustFolder } from '../../config/trust-store';
import type { Logger } from '../../contract/api';
import type { Redactor } from '../../contract/redact';
import { findPaths } from '../../paths';
import type { EventStream } from '../../record/event-stream';
import type { RestBook } from '../../providers/rest-book';
import type { LimitBook } from '../../limits/limit-book';
import type { Ledger } from '../../record/ledger';
import type { DaemonInfo } from '../control/daemon-info';
import type { ProjectRef } from '../control/protocol';
import type { SharedLimits } from '../shared/shared-limits';
import { makeLogHub } from './log-hub';
import type { MadeDevices } from './made-devices';
import type { OpenedProject, Prepared } from './opened-project';
import type { Project } from './project';

interface ProjectsParts {
  mode: DaemonInfo['mode'];
  /** Whether commands find the daemon. */
  isReachable: () => boolean;
  environment: NodeJS.ProcessEnv;
  /** One for all projects, so that no log shows a key of any of them. Projects cannot read each other's keys from it. */
  redactor: Redactor;
  log: Logger;
  ledger: Ledger;
  rests: RestBook;
  limits: LimitBook;
  shared: SharedLimits;
  stream: EventStream;
}

/** The projects of a daemon. Each is opened at its first use and kept, so that all its clients share its providers. */
export class Projects {
  private readonly opened = new Map<string, { project: Promise<OpenedProject>; trust: number }>();
  /** Devices that a reload has taken away, and that are still in use. */
  private readonly leaving = new Set<MadeDevices>();
  private readonly secrets = new Set<string>();
  /** The keys that terminals have brought, by folder. */
  private readonly brought = new Map<string | undefined, Record<string, string>>();

  constructor(private readonly parts: ProjectsParts) {}

  /** Keeps a variable from every program that a driver starts. */
  hide(variable: string): void {
    this.secrets.add(variable);
  }

  /** Rejects with a ConfigError, and keeps nothing then. */
  async open(ref: ProjectRef): Promise<OpenedProject> {
    const opened = await this.keptOrMade(ref);
    this.redactKeys(opened.project);
    return opened;
  }

  /** An intent may hold a key that no driver has asked for yet, and its record must not show the key. */
  private redactKeys({ environment, variables }: Project): void {
    for (const name of variables) {
      for (const found of [environment.get(name), environment.getGuarded(name)])
        if (found) this.parts.redactor.add(found.value);
    }
  }

  /** What a project needs when it is opened, and when a reload has made it another one. */
  private begin(project: Project): void {
    if (project.sharedState) this.parts.shared.open(project.sharedState);
    this.takeBrought(project);
    this.redactKeys(project);
  }

  /** Gives a project the keys of a client's terminal, as far as it lacks them, in every form in which its folder is open. */
  async bring(ref: ProjectRef, variables: Readonly<Record<string, string>>): Promise<OpenedProject> {
    const { project } = await this.keptOrMade(ref);
    const { projectRoot } = project.paths;
    const named = Object.entries(variables).filter(([name]) => project.variables.includes(name));
    this.brought.set(projectRoot, { ...this.brought.get(projectRoot), ...Object.fromEntries(named) });
    for (const each of await this.list())
      if (each.project.paths.projectRoot === projectRoot) this.takeBrought(each.project);
    return this.open(ref);
  }

  private takeBrought({ paths, variables, environment, devices }: Project): void {
    const brought = Object.entries(this.brought.get(paths.projectRoot) ?? {});
    // A program of a project without the provider would see its key.
    environment.bring(Object.fromEntries(brought.filter(([name]) => variables.includes(name))));
    for (const device of devices.llms()) if (device.health.kind === 'missing_key') void device.check();
  }

  /** The variables that would be gone with this daemon. */
  async ownVariables(): Promise<string[]> {
    const projects = (await this.list()).map(({ project }) => project);
    const own = projects.flatMap(({ environment, variables }) => variables.filter((name) => environment.isOwn(name)));
    return [...new Set(own)];
  }

  private async keptOrMade(ref: ProjectRef): Promise<OpenedProject> {
    const { workingDirectory, drivebayEnv, pluginPath, useProject, demo, trust: mode } = ref;
    const environment: NodeJS.ProcessEnv = { ...this.parts.environment, DRIVEBAY_ENV: drivebayEnv };
    if (pluginPath !== undefined) environment.DRIVEBAY_PLUGIN_PATH = pluginPath;
    if (mode === 'ask') environment.DRIVEBAY_PROJECT_TRUST = 'ask';
    const { projectRoot, state } = findPaths(environment, workingDirectory);
    const key = JSON.stringify([
      projectRoot,
      drivebayEnv || 'development',
      useProject,
      demo,
      mode,
      environment.DRIVEBAY_PLUGIN_PATH ?? '',
    ]);
    const trust = trustedAt(state);
    const kept = this.opened.get(key);
    if (kept) {
      const known = await kept.project;
      if (known.project.isHeld && kept.trust !== trust) {
        this.take(known, known.prepare());
        kept.trust = trust;
      }
      return known;
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

  async list(): Promise<OpenedProject[]> {
    const settled = await Promise.allSettled([...this.opened.values()].map(({ project }) => project));
    return settled.flatMap((result) => (result.status === 'fulfilled' ? [result.value] : []));
  }

  /** Puts what was prepared in place. What it does not have ends with its last user. */
  take(opened: OpenedProject, next: Prepared): void {
    const before = opened.take(next);
    this.begin(next.project);
    this.leaving.add(before);
    void before.retire(next.project.made).then(() => this.leaving.delete(before));
  }

  async close(): Promise<void> {
    const open = (await this.list()).map(({ project }) => project.made);
    await Promise.all([...open, ...this.leaving].map((made) => made.close()));
  }

  private async make(ref: ProjectRef, environment: NodeJS.ProcessEnv): Promise<OpenedProject> {
    const { redactor, ledger, rests, limits, stream } = this.parts;
    const { workingDirectory, useProject, demo } = ref;
    const log = makeLogHub(this.parts.log);
    // Speed: a daemon starts without configuration, plug-ins and keys.
    const { openProject } = await import('./project');
    const { OpenedProject } = await import('./opened-project');
    const { howToRestart } = await import('../client/agreement');
    const { pid } = process;
    const daemon = {
      name: `the daemon (pid ${pid})`,
      restart: howToRestart({ mode: this.parts.mode, pid }).replace('run: ', ''),
      isReachable: this.parts.isReachable(),
    };
    const options = { workingDirectory, environment, daemon, useProject, demo, ownSecrets: this.secrets };
    const opened = new OpenedProject(ref, log, (earlier) =>
      openProject({ ...options, earlier, log, redactor, ledger, rests, limits, stream }),
    );
    this.begin(opened.project);
    return opened;
  }
}

function trustedAt(state: string): number {
  try {
    return statSync(trustFolder(state)).mtimeMs;
  } catch {
    return 0;
  }
}
