import { Command } from 'commander';
import { productName, productVersion } from '../package';
import { addAgentCommands } from './agent-commands';
import { addCompletionCommands } from './completion-commands';
import { addConfigCommands } from './config-commands';
import { addDaemonCommands } from './daemon-commands';
import { addPluginCommands } from './plugin-commands';
import { addProcessCommands } from './process-commands';
import { addRecordCommands } from './record-commands';
import { addServeCommands } from './serve-commands';

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
  addAgentCommands(program);
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
