import type { Command } from 'commander';
import { addCommand, NO_PROJECT, parseName } from '../command-options';

export function addLaunchCommands(program: Command): void {
  const about =
    'start a coding agent or another program on any of your models, with settings and a gateway for this one run';
  const words = 'launch [client] [arguments...]';
  addCommand(program, words, about, async () => (await import('./launch')).launch)
    .usage('<client> [options] [-- <arguments of the program>]')
    .option('--provider <provider>', 'the provider that answers; default: the default_provider')
    .option('--model <model>', 'a model other than its default_model', parseName('--model'))
    .option(
      '--small-model <model>',
      'the model for small work, such as titles; default: the same',
      parseName('--small-model'),
    )
    .option('--list', 'list the programs, and whether they are installed')
    .option('--print', 'print the settings as a shell script, and start nothing')
    .option('--json', 'with --list: print JSON')
    .option('--no-project', NO_PROJECT);
}
