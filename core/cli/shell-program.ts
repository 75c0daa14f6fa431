import { Command } from 'commander';
import { addProcessCommands } from './process-commands';
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
  addProcessCommands(program);
  program.command('exit').alias('quit').description('leave the shell').action(exit);
  return program;
}

type SpawnOptions = Omit<import('./run').RunOptions, 'stdin' | 'reasoningEffort'> & { effort?: string };
