import { basename, dirname } from 'node:path';
import { ConfigError, formatProblem, messageOf, type Problem, UsageError } from '../../errors';
import type { KillReason } from '../agent-process';
import type { AgentProject } from '../agent-project';
import { planProcess } from '../plan';
import type { ProcessTable } from '../process-table';
import { type ComposeFile, readComposeFile } from './compose-file';
import type { ComposeView } from './compose-event';
import { type ComposeRequest, requestFor } from './compose-request';
import { ComposeRun } from './compose-run';

/** The compose runs of a daemon: those that go on. */
export class ComposeTable {
  private readonly runs = new Map<string, ComposeRun>();

  constructor(private readonly table: ProcessTable) {}

  /** Checks everything first: throws a ConfigError or a UsageError with nothing begun. */
  async up(project: AgentProject, { file: path, workingDirectory }: ComposeRequest): Promise<ComposeRun> {
    const file = await readComposeFile(path);
    const name = file.name ?? (basename(dirname(path)) || 'compose');
    await checkAgents(project, file, name, workingDirectory);
    if (this.runs.has(name)) {
      throw new UsageError(
        `compose "${name}" runs already`,
        `see: drivebay compose ps; to end it: drivebay compose down`,
      );
    }
    const run = new ComposeRun({ table: this.table, project, file, name, workingDirectory });
    this.runs.set(name, run);
    void run.ended.then(() => this.runs.delete(name));
    return run;
  }

  find(name: string): ComposeRun | undefined {
    return this.runs.get(name);
  }

  list(): ComposeView[] {
    return [...this.runs.values()].map(({ view }) => view);
  }

  /** Ends every run. */
  async close(reason: KillReason = 'shutdown'): Promise<void> {
    const runs = [...this.runs.values()];
    for (const run of runs) run.down(reason);
    await Promise.all(runs.map(({ ended }) => ended));
  }
}

/** What would keep an agent from beginning is told before the first one begins. */
async function checkAgents(
  project: AgentProject,
  file: ComposeFile,
  name: string,
  workingDirectory: string,
): Promise<void> {
  // Agents share files, and what is wrong with one of these is told once.
  const problems = new Map<string, Problem>();
  const add = (problem: Problem) => problems.set(formatProblem(problem), problem);
  for (const agent of file.agents) {
    try {
      await planProcess(project, requestFor(agent, { file, name, workingDirectory }));
    } catch (error) {
      if (error instanceof ConfigError) error.problems.forEach(add);
      else if (error instanceof UsageError) {
        add({
          message: `agents.${agent.name}: ${messageOf(error)}`,
          place: file.placeOf(['agents', agent.name, ...(agent.provider === undefined ? [] : ['provider'])]),
          ...(error.hint !== undefined && { hint: error.hint }),
        });
      } else throw error;
    }
  }
  if (problems.size > 0) throw new ConfigError([...problems.values()]);
}
