import type { Command } from 'commander';
import { DEFAULT_PORT } from './default-port';
import { LOG_FORMATS, LOG_LEVELS } from '../../log/log-options';
import { choiceOption, collect, NO_PROJECT, parseHost, parseOrigin, parsePort } from '../option-parsers';

/** `serve`, and what has it running all the time. */
export function addServeCommands(program: Command): void {
  addGatewayOptions(program.command('serve').description('start the OpenAI-style gateway on 127.0.0.1'))
    .addOption(choiceOption('--log-format <format>', 'how to log', LOG_FORMATS, 'text'))
    .option('--no-project', NO_PROJECT)
    .action(async (options: import('./serve').ServeOptions) => (await import('./serve')).serve(options));

  const service = program
    .command('service')
    .description('the gateway at each login, by systemd or launchd')
    .helpCommand(false);
  addGatewayOptions(service.command('install').description('start the gateway now and at each login'))
    .option('--print', 'print the file, and do nothing else')
    .action(async (options: import('../service/service').InstallOptions) =>
      (await import('../service/service')).serviceInstall(options),
    );
  service
    .command('uninstall')
    .description('end it, and remove its file')
    .action(async () => (await import('../service/service')).serviceUninstall());
  service
    .command('status')
    .description('say whether it is installed and answers; exit code 1 where not')
    .option('--json', 'print JSON')
    .action(async (options: { json?: boolean }) => (await import('../service/service')).serviceStatus(options));
}

/** What a gateway is like, whoever starts it. */
function addGatewayOptions(command: Command): Command {
  return command
    .option('--port <number>', 'port to listen on', parsePort, DEFAULT_PORT)
    .option('--demo', 'add a provider "demo" that needs no backend')
    .option('--allow-host <name>', 'accept one more Host name (repeatable)', collect(parseHost))
    .option('--allow-origin <origin>', 'let web pages of an origin call the gateway (repeatable)', collect(parseOrigin))
    .option('--api-key-env <name>', 'demand the key in this variable as "Authorization: Bearer <key>"')
    .addOption(choiceOption('--log-level <level>', 'what to log', LOG_LEVELS, 'info'));
}
