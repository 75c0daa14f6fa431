import { Command } from 'commander';
import { LOG_FORMATS, LOG_LEVELS } from '../log-options';
import { productName, productVersion } from '../package';
import { addAgentCommands } from './agent-commands';
import { addDaemonCommands } from './daemon-commands';
import { choiceOption, collect, DEFAULT_PORT, NO_PROJECT, parseHost, parseOrigin, parsePort } from './option-parsers';
import { addProcessCommands } from './process-commands';
import { addRecordCommands } from './record-commands';
import { addSetupCommands } from './setup-commands';

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

  program
    .command('serve')
    .description('start the OpenAI-style gateway on 127.0.0.1')
    .option('--port <number>', 'port to listen on', parsePort, DEFAULT_PORT)
    .option('--demo', 'add a provider "demo" that needs no backend')
    .option('--allow-host <name>', 'accept one more Host name (repeatable)', collect(parseHost))
    .option('--allow-origin <origin>', 'let web pages of an origin call the gateway (repeatable)', collect(parseOrigin))
    .option('--api-key-env <name>', 'demand the key in this variable as "Authorization: Bearer <key>"')
    .addOption(choiceOption('--log-level <level>', 'what to log', LOG_LEVELS, 'info'))
    .addOption(choiceOption('--log-format <format>', 'how to log', LOG_FORMATS, 'text'))
    .option('--no-project', NO_PROJECT)
    .action((options: import('./serve').ServeOptions) =>
      (require('./serve') as typeof import('./serve')).serve(options),
    );

  addAgentCommands(program);
  addProcessCommands(program);
  addRecordCommands(program);
  addDaemonCommands(program);
  addSetupCommands(program);

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
