import { basename, dirname } from 'node:path';
import { ConfigError, formatProblem, type Problem, UsageError } from '../../errors';
import type { AgentProject } from '../agent-project';
import { planProcess } from '../plan';
import { SpawnError, type SpawnField } from '../spawn-request';
import { type ComposeAgent, type ComposeFile, readComposeFile } from './compose-file';
import type { ComposeView } from './compose-event';
import { type ComposeRequest, requestFor } from './compose-request';
import { ComposeRun, type SpawnProcess } from './compose-run';

/** The compose runs of a daemon that have not ended. */
export class ComposeTable {
  private readonly runs = new Map<string, ComposeRun>();

  constructor(private readonly spawn: SpawnProcess) {}

  /** Starts a run. Throws a ConfigError or a UsageError before any agent begins. */
  up(project: AgentProject, { file: path, workingDirectory, askFirst, depth }: ComposeRequest): ComposeRun {
    const file = readComposeFile(path);
    checkAgents(project, file, { workingDirectory, askFirst });
    const name = this.nameFor(file);
    const run = new ComposeRun({ spawn: this.spawn, project, file, name, workingDirectory, depth });
    this.runs.set(name, run);
    void run.ended.then(() => this.runs.delete(name));
    return run;
  }

  /** A file runs once at a time. Runs of different files in folders of the same name get different names. */
  private nameFor({ file, name }: ComposeFile): string {
    const folder = basename(dirname(file)) || 'compose';
    const same = this.list().find((run) => run.file === file || run.name === name);
    if (same) {
      const other = same.file === file ? '' : `, from ${same.file}`;
      throw new UsageError(
        `compose "${same.name}" runs already${other}`,
        `see: drivebay compose ps; to end it: drivebay compose down ${same.name}`,
      );
    }
    let free = name ?? folder;
    for (let count = 2; this.runs.has(free); count += 1) free = `${folder}-${count}`;
    return free;
  }

  find(name: string): ComposeRun | undefined {
    return this.runs.get(name);
  }

  list(): ComposeView[] {
    return [...this.runs.values()].map(({ view }) => view);
  }

  async close(): Promise<void> {
    const runs = [...this.runs.values()];
    for (const run of runs) run.down('shutdown');
    await Promise.all(runs.map(({ ended }) => ended));
  }
}

/** Reports everything that would keep an agent from starting, before the first one starts. */
function checkAgents(project: AgentProject, file: ComposeFile, request: Omit<ComposeRequest, 'file'>): void {
  // Agents share files, and a mistake in a file is reported once.
  const problems = new Map<string, Problem>();
  for (const agent of file.agents) {
    try {
      planProcess(project, {
        ...requestFor(agent, { file, name: file.name ?? '', ...request }),
        askFirst: request.askFirst,
      });
    } catch (error) {
      for (const problem of problemsOf(error, agent, file)) problems.set(formatProblem(problem), problem);
    }
  }
  if (problems.size > 0) throw new ConfigError([...problems.values()]);
}

function problemsOf(error: unknown, { name }: ComposeAgent, { placeOf }: ComposeFile): Problem[] {
  const locate = (field: SpawnField, { message, hint }: { message: string; hint?: string }): Problem => ({
    message: `agents.${name}.${field}: ${message}`,
    place: placeOf(['agents', name, field]),
    hint,
  });
  if (error instanceof SpawnError) return [locate(error.field, error)];
  if (!(error instanceof ConfigError)) throw error;
  // A problem without a place is not in an agent.yaml, but in the skills of this agent.
  return error.problems.map((problem) => (problem.place ? problem : locate('skills', problem)));
}
