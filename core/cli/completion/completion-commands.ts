import { Argument, type Command } from 'commander';
import { readFileSync } from 'node:fs';
import { join } from 'node:path';
import { packageRoot } from '../../package';
import { addCommand } from '../command-options';
import { printAnswer, printNote } from '../terminal/print';

const INSTALL = {
  bash: 'add to ~/.bashrc: source <(drivebay completion bash)',
  zsh: 'add to ~/.zshrc, behind compinit: source <(drivebay completion zsh)',
  fish: 'run: drivebay completion fish > ~/.config/fish/completions/drivebay.fish',
};

type ShellName = keyof typeof INSTALL;

/** `man` and `__complete` are about all commands, so they stand in no family: the program is then built as a whole. */
export function addCompletionCommands(program: Command): void {
  program
    .command('completion')
    .description('print a script that completes commands, flags, providers and models')
    .addArgument(new Argument('<shell>', 'the shell that reads it').choices(Object.keys(INSTALL)))
    .action(completion);

  const man = 'print the manual page; to read it: drivebay man | man -l -';
  addCommand(program, 'man', man, async () => {
    const { manPage } = await import('./man-page');
    return () => printAnswer(manPage(program));
  });

  program
    .command('__complete', { hidden: true })
    .description('answer the scripts of `completion`')
    .argument('[words...]')
    .action(async (words: string[]) => (await import('./complete')).complete(program, words));
}

/** `completion`: prints the script with which a shell asks `drivebay __complete` when Tab is pressed. */
function completion(shell: ShellName): void {
  const file = join(packageRoot, 'bin', 'completions', `drivebay.${shell}`);
  printAnswer(readFileSync(file, 'utf8').trim());
  if (process.stdout.isTTY) printNote(`to have it in each new shell: ${INSTALL[shell]}`);
}
