import { Command } from 'commander';
import { productName, productVersion } from '../package';
import { hideKeys } from './hide-keys';
import { addAgentCommands } from './agents/agent-commands';
import { addClientCommands } from './clients/client-commands';
import { addCompletionCommands } from './completion/completion-commands';
import { addConfigCommands } from './config/config-commands';
import { addDaemonCommands } from './daemon/daemon-commands';
import { addDebugCommands } from './debug/debug-commands';
import { addLaunchCommands } from './launch/launch-commands';
import { addMcpCommands } from './mcp/mcp-commands';
import { addPluginCommands } from './plugins/plugin-commands';
import { addProcessCommands, addRecordCommands } from './processes/process-commands';
import { addServeCommands } from './serve/serve-commands';
import { shortWords } from './terminal/print';

/** The families of commands, in the order of the help: heading, what adds them, names. */
const FAMILIES: [string, (program: Command) => void, string[]][] = [
  ['Gateway:', addServeCommands, ['serve', 'service']],
  ['Gateway:', addLaunchCommands, ['launch']],
  ['Gateway:', addClientCommands, ['clients']],
  ['Agents:', addAgentCommands, ['run', 'chat', 'shell', 'compose']],
  ['Agents:', addProcessCommands, ['ps', 'kill', 'wait', 'trace']],
  ['Agents:', addRecordCommands, ['logs', 'usage', 'dashboard', 'devices']],
  ['Set-up:', addConfigCommands, ['init', 'doctor', 'providers', 'models', 'config', 'schema', 'trust', 'docs']],
  ['Set-up:', addMcpCommands, ['mcp']],
  ['Agents:', addDebugCommands, ['debug']],
  ['Set-up:', addDaemonCommands, ['daemon', 'reload', 'uninstall']],
  ['Set-up:', addCompletionCommands, ['completion']],
  ['Drivers:', addPluginCommands, ['plugins']],
];

/**
 * Builds the program for a command line that begins with `first`. Speed: a known command needs only the commands of its
 * family, and the code of each command loads when it runs.
 */
export function buildProgram(first = ''): Command {
  const program = new Command(productName)
    .description('One local endpoint for every LLM you have')
    .usage('[options] [command]\n       drivebay [options of run] "<intent>"')
    .version(productVersion, '-v, --version', 'print the version')
    .helpOption('-h, --help', 'show help')
    .helpCommand(false)
    // Behind a command, -v is an option of that command, or a mistake: the version would be printed in place of the work.
    .enablePositionalOptions()
    .showHelpAfterError(`(see: ${productName} --help)`)
    .configureOutput({ outputError: (text, write) => write(shortWords(hideKeys(text))) })
    .exitOverride();

  const family = FAMILIES.filter(([, , names]) => names.includes(first));
  for (const [heading, add] of family.length > 0 ? family : FAMILIES) {
    program.commandsGroup(heading);
    add(program);
  }
  pointToHelp(program.commands);
  return program;
}

/** A mistake in the options of a command leads to the help of that command. */
function pointToHelp(commands: readonly Command[], before: string[] = []): void {
  for (const command of commands) {
    const words = [...before, command.name()];
    command.showHelpAfterError(`(see: ${[productName, ...words].join(' ')} --help)`);
    pointToHelp(command.commands, words);
  }
}
