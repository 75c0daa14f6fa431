import { Command } from 'commander';
import { productName, productVersion } from '../package';
import { addAgentCommands } from './agents/agent-commands';
import { addCompletionCommands } from './completion/completion-commands';
import { addConfigCommands } from './config/config-commands';
import { addDaemonCommands } from './daemon/daemon-commands';
import { addPluginCommands } from './plugins/plugin-commands';
import { addProcessCommands } from './processes/process-commands';
import { addRecordCommands } from './processes/record-commands';
import { addServeCommands } from './serve/serve-commands';

/** What belongs together in the help and in a file, in the order of the help. A word of none of them needs them all. */
const GROUPS = [
  { heading: 'Gateway:', add: addServeCommands, commands: ['serve', 'service'] },
  { heading: 'Agents:', add: addAgentCommands, commands: ['run', 'shell', 'compose'] },
  { heading: 'Agents:', add: addProcessCommands, commands: ['ps', 'kill', 'wait', 'trace'] },
  { heading: 'Agents:', add: addRecordCommands, commands: ['logs', 'usage', 'dashboard', 'devices'] },
  {
    heading: 'Set-up:',
    add: addConfigCommands,
    commands: ['init', 'doctor', 'providers', 'config', 'schema', 'trust'],
  },
  { heading: 'Set-up:', add: addDaemonCommands, commands: ['daemon'] },
  { heading: 'Set-up:', add: addCompletionCommands, commands: ['completion'] },
  { heading: 'Drivers:', add: addPluginCommands, commands: ['plugins'] },
];

/**
 * The program for a command line that begins with a word: where that is a command, only with those of its group. Each
 * command's code is loaded when it runs: a start should cost what the command needs.
 */
export function buildProgram(first?: string): Command {
  const program = new Command(productName)
    .description('One local endpoint for every LLM you have')
    .usage('[options] [command]\n       drivebay [options of run] "<intent>"')
    .version(productVersion, '--version', 'print the version')
    .helpOption('-h, --help', 'show help')
    .helpCommand(false)
    .showHelpAfterError(`(see: ${productName} --help)`)
    .exitOverride();

  const asked = GROUPS.filter(({ commands }) => first !== undefined && commands.includes(first));
  for (const { heading, add } of asked.length > 0 ? asked : GROUPS) {
    program.commandsGroup(heading);
    add(program);
  }

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
