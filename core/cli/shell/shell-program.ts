import { Command } from 'commander';
import { didYouMean } from '../../config/did-you-mean';
import { UsageError } from '../../errors';
import { addProcessCommands } from '../processes/process-commands';
import { addSpawnOptions, unshield } from '../agents/spawn-options';

/** The commands of the shell, made anew for each line. `exit` is told by what it is given. */
export function buildShellProgram(exit: () => void): Command {
  const program = new Command('shell')
    .description('Commands of the shell; Ctrl-C ends the one that runs')
    // Nobody types the name of the shell in the shell.
    .configureHelp({
      commandUsage: (command) => (command.parent ? `${command.name()} ${command.usage()}` : '<command> ...'),
    })
    .helpOption('-h, --help', 'show help')
    .helpCommand(false)
    .showHelpAfterError('(see: help)')
    .exitOverride();
  addSpawnOptions(
    program.command('spawn <intent...>').description('let an agent work on an intent, and print its answer'),
    {
      effortFlag: '--effort <level>',
    },
  ).action(async (intent: string[], { effort, ...options }: SpawnOptions) => {
    const given = {
      ...options,
      ...(effort !== undefined && { reasoningEffort: effort, effortFlag: '--effort' }),
      stdin: false,
    };
    return (await import('../agents/run')).run(intent.map(unshield), given);
  });
  addProcessCommands(program);
  program
    .command('help [command]')
    .description('show the commands, or help about one')
    .action((name?: string) => showHelp(program, name));
  program.command('exit').alias('quit').description('leave the shell').action(exit);
  for (const command of program.commands) command.showHelpAfterError(`(see: help ${command.name()})`);
  return program;
}

function showHelp(program: Command, name: string | undefined): void {
  if (name === undefined) return program.outputHelp();
  const command = program.commands.find((each) => each.name() === name || each.alias() === name);
  if (command) return command.outputHelp();
  const names = program.commands.map((each) => each.name());
  const near = didYouMean(name, names);
  const hint = near === undefined ? `commands: ${names.join(', ')}` : `did you mean ${near}?`;
  throw new UsageError(`there is no command '${name}'`, hint);
}

type SpawnOptions = Omit<import('../agents/run').RunOptions, 'stdin' | 'reasoningEffort'> & { effort?: string };
