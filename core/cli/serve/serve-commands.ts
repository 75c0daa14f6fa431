import type { Command } from 'commander';
import { LOG_FORMATS } from '../../log/log-options';
import { choiceOption, lazy, NO_PROJECT } from '../command-options';
import { addGatewayOptions } from './serve-options';

/** `serve`, and the service that runs it at each login. */
export function addServeCommands(program: Command): void {
  addGatewayOptions(program.command('serve').description('start the OpenAI-style gateway on 127.0.0.1'))
    .addOption(choiceOption('--log-format <format>', 'how to log', LOG_FORMATS, 'text'))
    .option('--no-project', NO_PROJECT)
    .action(lazy(async () => (await import('./serve')).serve));

  const service = program
    .command('service')
    .description('run the gateway at each login, by systemd or launchd')
    .helpCommand(false);
  addGatewayOptions(service.command('install').description('start the gateway now and at each login'))
    .option('--print', 'print the service file and do nothing else')
    .action(lazy(async () => (await import('../service/service')).serviceInstall));
  service
    .command('uninstall')
    .description('end the service and remove its file')
    .action(lazy(async () => (await import('../service/service')).serviceUninstall));
  service
    .command('status')
    .description('say whether the service is installed and answers; exit code 1 if not')
    .option('--json', 'print JSON')
    .action(lazy(async () => (await import('../service/service')).serviceStatus));
}
