import { join } from 'node:path';
import type { AgentProcess } from '../../core/agents/agent-process';
import { AgentTable } from '../../core/agents/agent-table';
import { spawnRequestSchema, type SpawnRequest } from '../../core/agents/spawn-request';
import type { AgentProject } from '../../core/agents/agent-project';
import { openProject, type Project } from '../../core/daemon/project/project';
import { ConfigError, formatProblem } from '../../core/errors';
import type { ProcessEvent } from '../../core/record/process-event';
import { Redactor } from '../../core/contract/redact';
import { Ledger } from '../../core/record/ledger';
import type { ProcessStore } from '../../core/record/process-store';
import { eventsOf, openStore, warningLog } from '../record/store';
import { TempHome } from '../setup/temp-home';
import { installAgents } from './scripted-agent';

const { log } = warningLog();

const PROVIDERS = [
  '{ name: main, driver: talker, default_model: m-1, cost_per_token: 0.01 }',
  '{ name: other, driver: talker, default_model: o-1 }',
  '{ name: plain, driver: plain, default_model: p-1 }',
  '{ name: cli, driver: worker, default_model: c-1 }',
  '{ name: bundler, driver: bundler }',
];

const yamlOf = (providers: string[]) => `version: "1"
${providers.some((entry) => entry.includes('name: main,')) ? 'default_provider: main' : ''}
providers: [${providers.join(', ')}]
`;

let opened: Agents | undefined;

afterEach(async () => {
  await opened?.close();
  opened = undefined;
});

type Of<Type extends ProcessEvent['type']> = Extract<ProcessEvent, { type: Type }>;

/** A project, and the processes that run in it; everything but the socket is the real thing. */
export class Agents {
  readonly state: string;

  private constructor(
    readonly home: TempHome,
    readonly table: AgentTable,
    readonly project: Project,
    readonly store: ProcessStore,
    readonly ledger: Ledger,
    private readonly withRoot: boolean,
  ) {
    this.state = join(home.directory, 'state');
  }

  static open({
    providers = PROVIDERS,
    yaml = yamlOf(providers),
    files = {},
    variables = {},
  }: {
    /** The entries of providers.yaml. `main` is the default. */
    providers?: string[];
    yaml?: string;
    files?: Record<string, string> | ((home: TempHome) => Record<string, string>);
    /** Of the environment. */
    variables?: Record<string, string>;
  } = {}): Agents {
    const home = new TempHome();
    const written = typeof files === 'function' ? files(home) : files;
    installAgents(home);
    home.configure(yaml);
    home.write('work/here', '');
    for (const [file, content] of Object.entries(written)) home.write(file, content);
    const redactor = new Redactor();
    const state = join(home.directory, 'state');
    const ledger = new Ledger({ state, redactor, log });
    const workingDirectory = join(home.directory, 'work');
    const environment = home.environment(variables);
    const project = openProject({ workingDirectory, environment, useProject: true, log, redactor, ledger });
    const { store } = openStore(state, { redactor });
    const withRoot = Object.keys(written).some((file) => file.startsWith('work/'));
    opened = new Agents(home, new AgentTable({ store, ledger, log }), project, store, ledger, withRoot);
    return opened;
  }

  /** As the daemon makes it. */
  get agentProject(): AgentProject {
    const { devices, standard } = this.project;
    return {
      devices,
      standard,
      userSkills: join(this.home.directory, '.config/drivebay/skills'),
      ...(this.withRoot && { root: join(this.home.directory, 'work') }),
    };
  }

  request(intent: string, more: Partial<SpawnRequest> = {}): SpawnRequest {
    const workingDirectory = join(this.home.directory, 'work');
    return spawnRequestSchema.parse({ intent, workingDirectory, ...more });
  }

  spawn(intent: string, more: Partial<SpawnRequest> = {}): AgentProcess {
    return this.table.spawn(this.agentProject, this.request(intent, more));
  }

  /** Runs a process to its end. */
  async run(intent: string, more: Partial<SpawnRequest> = {}): Promise<Ended> {
    return this.follow(this.spawn(intent, more));
  }

  /** The same for a process that goes on with an earlier one. */
  async goOn(continues: number | string, intent: string, more: Partial<SpawnRequest> = {}): Promise<Ended> {
    return this.follow(await this.table.start(this.agentProject, this.request(intent, { ...more, continues })));
  }

  private async follow(process: AgentProcess): Promise<Ended> {
    const events: ProcessEvent[] = [];
    for await (const event of process.events()) events.push(event);
    return new Ended(process, events);
  }

  async recorded(pid: number): Promise<ProcessEvent[]> {
    await this.store.close();
    return eventsOf(this.state, pid);
  }

  /** The problems of the ConfigError that the work throws, with `~` for the home. */
  problemsOf(work: () => unknown): string[] {
    try {
      work();
    } catch (error) {
      if (!(error instanceof ConfigError)) throw error;
      return error.problems.map((problem) => formatProblem(problem).replaceAll(this.home.directory, '~'));
    }
    throw new Error('the work did not fail');
  }

  async close(): Promise<void> {
    await this.table.close();
    await this.project.close();
    await this.ledger.flush();
    this.home.remove();
  }
}

/** A process that has ended, and all that happened to it. */
export class Ended {
  constructor(
    readonly process: AgentProcess,
    readonly events: ProcessEvent[],
  ) {}

  of<Type extends ProcessEvent['type']>(type: Type): Of<Type>[] {
    return this.events.filter((event): event is Of<Type> => event.type === type);
  }

  get text(): string {
    return this.of('text')
      .map(({ text }) => text)
      .join('');
  }

  get notices(): string[] {
    return this.of('notice').map(({ message }) => message);
  }

  get end() {
    return this.process.view.end;
  }
}
