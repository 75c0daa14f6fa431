import type { Command } from 'commander';

/** What the command line and the shell can do with agent processes. */
export function addProcessCommands(program: Command): void {
  program
    .command('ps')
    .description('list the agent processes that run')
    .option('-a, --all', 'those that have ended, too')
    .option('--json', 'print JSON')
    .action(async (options: import('./ps').PsOptions) => (await import('./ps')).ps(options));

  program
    .command('kill <pid>')
    .description('end an agent process and every program it started')
    .action(async (pid: string) => (await import('./kill')).kill(pid));

  program
    .command('wait <pid>')
    .description('wait until an agent process has ended; exit code 0 after a good end')
    .action(async (pid: string) => (await import('./wait')).wait(pid));

  program
    .command('trace <pid>')
    .description('show what an agent process did: steps, tools, usage, cost')
    .option('-f, --follow', 'go on with what happens')
    .option('--json', 'print JSON; with --follow one event per line')
    .action(async (pid: string, options: import('./trace').TraceOptions) =>
      (await import('./trace')).trace(pid, options),
    );
}
