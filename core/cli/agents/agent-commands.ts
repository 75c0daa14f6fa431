import type { Command } from 'commander';
import { NO_PROJECT } from '../option-parsers';
import { addSpawnOptions, unshield } from './spawn-options';

/** What starts agents. */
export function addAgentCommands(program: Command): void {
  addSpawnOptions(
    program
      .command('run <intent...>')
      .description('let an agent work on an intent; the same without the word `run`: drivebay "<intent>"'),
    { effortFlag: '--reasoning-effort <level>' },
  )
    .option('--no-stdin', 'do not add the text on stdin to the intent')
    .action(async (intent: string[], options: import('./run').RunOptions) =>
      (await import('./run')).run(intent.map(unshield), options),
    );

  program
    .command('shell')
    .description('type commands about agents at a prompt, or feed them in from a pipe')
    .action(async () => (await import('../shell/shell')).shell());

  const compose = program.command('compose').description('let agents work together').helpCommand(false);
  compose
    .command('up [file]')
    .description('run the agents of a compose file, and print their answers')
    .option('--json', 'print one JSON object at the end, in place of the answers')
    .option('--detach', 'print the name of the run, and leave it to itself')
    .option('--no-project', NO_PROJECT)
    .action(async (file: string | undefined, options: import('./compose-up').ComposeUpOptions) =>
      (await import('./compose-up')).composeUp(file, options),
    );
  compose
    .command('ps [file]')
    .description('list the agents of the compose runs that go on')
    .option('--json', 'print JSON')
    .action(async (file: string | undefined, options: { json?: boolean }) =>
      (await import('./compose-runs')).composePs(file, options),
    );
  compose
    .command('down [file]')
    .description('end a compose run, and the agents in it')
    .action(async (file: string | undefined) => (await import('./compose-runs')).composeDown(file));
}
