import { Command } from 'commander';
import { didYouMean } from '../../config/did-you-mean';
import { UsageError } from '../../errors';
import type { AskUser } from '../agents/ask-first';
import type { RunOptions } from '../agents/run';
import { addSpawnOptions } from '../agents/spawn-options';
import { addProcessCommands } from '../processes/process-commands';

type SpawnOptions = Omit<RunOptions, 'stdin' | 'reasoningEffort'> & { effort?: string };

/** The commands of the shell, built again for each line. `exit` runs `leave`; `ask` asks the user a question. */
export function buildShellProgram(leave: () => void, ask?: AskUser): Command {
  const program = new Command('shell')
    .description('Commands of the shell; Ctrl-C ends the one that runs')
    // In the shell a command line begins with the command, not with `shell`.
    .configureHelp({
      commandUsage: (command) => (command.parent ? `${command.name()} ${command.usage()}` : '<command> ...'),
    })
    .helpOption('-h, --help', 'show help')
    .helpCommand(false)
    .showHelpAfterError('(see: help)')
    .exitOverride();
  addSpawnOptions(
    program.command('spawn <intent...>').description('run an agent on an intent, and print its answer'),
    '--effort <level>',
  ).action(async (intent: string[], { effort, ...options }: SpawnOptions) => {
    const { run } = await import('../agents/run');
    const effortFlag = effort === undefined ? undefined : '--effort';
    await run(intent, { ...options, reasoningEffort: effort, effortFlag, stdin: false, ask });
  });
  addProcessCommands(program);
  program
    .command('help [command]')
    .description('show the commands, or help about one')
    .action((name?: string) => showHelp(program, name));
  program.command('exit').alias('quit').description('leave the shell').action(leave);
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
