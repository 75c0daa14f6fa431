import { Argument, type Command } from 'commander';
import { SHELLS, type Shell } from './shells';

/** What makes Tab work in the user's shell. */
export function addCompletionCommands(program: Command): void {
  program
    .command('completion')
    .description('print a script that completes commands, flags, providers and models')
    .addArgument(new Argument('<shell>', 'the shell that reads it').choices(SHELLS))
    .action(async (shell: Shell) => (await import('./completion')).completion(shell));

  program
    .command('__complete', { hidden: true })
    .description('answer the scripts of `completion`')
    .argument('[words...]')
    .action(async (words: string[]) => (await import('./complete')).complete(program, words));
}
