import { Command } from 'commander';
import { addSpawnOptions, unshield } from './spawn-options';

/** The commands of the shell, made anew for each line. `exit` is told by what it is given. */
export function buildShellProgram(exit: () => void): Command {
  const program = new Command('shell')
    .description('Commands of the shell; Ctrl-C ends the one that runs')
    // Nobody types the name of the shell in the shell.
    .configureHelp({
      commandUsage: (command) => (command.parent ? `${command.name()} ${command.usage()}` : '<command> ...'),
    })
    .helpOption('-h, --help', 'show help')
    .helpCommand('help [command]', 'show the commands, or help about one')
    .showSuggestionAfterError()
    .exitOverride();
  addSpawnOptions(
    program.command('spawn <intent...>').description('let an agent work on an intent, and print its answer'),
    {
      effortFlag: '--effort <level>',
    },
  ).action((intent: string[], { effort, ...options }: SpawnOptions) => {
    const given = { ...options, ...(effort !== undefined && { reasoningEffort: effort }), stdin: false };
    return (require('./run') as typeof import('./run')).run(intent.map(unshield), given);
  });
  program
    .command('ps')
    .description('list the agent processes that run')
    .option('-a, --all', 'those that have ended, too')
    .option('--json', 'print JSON')
    .action((options: import('./ps').PsOptions) => (require('./ps') as typeof import('./ps')).ps(options));
  program
    .command('kill <pid>')
    .description('end an agent process and every program it started')
    .action((pid: string) => (require('./kill') as typeof import('./kill')).kill(pid));
  program
    .command('wait <pid>')
    .description('wait until an agent process has ended')
    .action((pid: string) => (require('./wait') as typeof import('./wait')).wait(pid));
  program
    .command('trace <pid>')
    .description('show what an agent process did: steps, tools, usage, cost')
    .option('-f, --follow', 'go on with what happens')
    .option('--json', 'print JSON; with --follow one event per line')
    .action((pid: string, options: import('./trace').TraceOptions) =>
      (require('./trace') as typeof import('./trace')).trace(pid, options),
    );
  program.command('exit').alias('quit').description('leave the shell').action(exit);
  return program;
}

type SpawnOptions = Omit<import('./run').RunOptions, 'stdin' | 'reasoningEffort'> & { effort?: string };
