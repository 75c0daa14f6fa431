import type { Command } from 'commander';
import { lazy, NO_PROJECT } from '../command-options';
import type { RunOptions } from './run';
import { addSpawnOptions, unshield } from './spawn-options';

export function addAgentCommands(program: Command): void {
  addSpawnOptions(
    program
      .command('run <intent...>')
      .description('let an agent work on an intent; also without the word `run`: drivebay "<intent>"'),
    '--reasoning-effort <level>',
  )
    .option('--no-stdin', 'do not add the text on stdin to the intent')
    .action(async (intent: string[], options: RunOptions) => {
      const { run } = await import('./run');
      await run(intent.map(unshield), options);
    });

  program
    .command('shell')
    .description('type commands about agents at a prompt, or read them from a pipe')
    .action(lazy(async () => (await import('../shell/shell')).shell));

  const compose = program.command('compose').description('let agents work together').helpCommand(false);
  compose
    .command('up [file]')
    .description('run the agents of a compose file, and print their answers')
    .option('--json', 'print one JSON object at the end, in place of the answers')
    .option('--detach', 'print the name of the run, and leave it in the background')
    .option('--no-project', NO_PROJECT)
    .action(lazy(async () => (await import('../compose/compose')).composeUp));
  compose
    .command('ps [file]')
    .description('list the agents of the running compose runs')
    .option('--json', 'print JSON')
    .action(lazy(async () => (await import('../compose/compose')).composePs));
  compose
    .command('down [file]')
    .description('end a compose run and its agents')
    .action(lazy(async () => (await import('../compose/compose')).composeDown));
}
