import { Command } from 'commander';
import { productName, productVersion } from '../package';
import { addCompletionCommands } from './completion-commands';
import { addComposeCommands } from './compose-commands';
import { addConfigCommands } from './config-commands';
import { addDaemonCommands } from './daemon-commands';
import { addPluginCommands } from './plugin-commands';
import { addProcessCommands } from './process-commands';
import { addRecordCommands } from './record-commands';
import { addServeCommands } from './serve-commands';
import { addSpawnOptions, unshield } from './spawn-options';

/** Each command's code is loaded when it runs: a start should cost what the command needs. */
export function buildProgram(): Command {
  const program = new Command(productName)
    .description('One local endpoint for every LLM you have')
    .usage('[options] [command]\n       drivebay [options of run] "<intent>"')
    .version(productVersion, '--version', 'print the version')
    .helpOption('-h, --help', 'show help')
    .helpCommand(false)
    .showHelpAfterError(`(see: ${productName} --help)`)
    .exitOverride();

  program.commandsGroup('Gateway:');
  addServeCommands(program);

  program.commandsGroup('Agents:');
  addSpawnOptions(
    program
      .command('run <intent...>')
      .description('let an agent work on an intent; the same without the word `run`: drivebay "<intent>"'),
    { effortFlag: '--reasoning-effort <level>' },
  )
    .option('--no-stdin', 'do not add the text on stdin to the intent')
    .action((intent: string[], options: import('./run').RunOptions) =>
      (require('./run') as typeof import('./run')).run(intent.map(unshield), options),
    );

  program
    .command('shell')
    .description('type commands about agents at a prompt, or feed them in from a pipe')
    .action(() => (require('./shell') as typeof import('./shell')).shell());

  addComposeCommands(program);
  addProcessCommands(program);
  addRecordCommands(program);

  program.commandsGroup('Set-up:');
  addConfigCommands(program);
  addDaemonCommands(program);

  addCompletionCommands(program);

  program.commandsGroup('Drivers:');
  addPluginCommands(program);

  pointToHelp(program.commands, productName);
  return program;
}

/** A mistake in a command's options leads to the help of that command. */
function pointToHelp(commands: readonly Command[], before: string): void {
  for (const command of commands) {
    const words = `${before} ${command.name()}`;
    command.showHelpAfterError(`(see: ${words} --help)`);
    pointToHelp(command.commands, words);
  }
}
