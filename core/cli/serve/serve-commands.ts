import type { Command } from 'commander';
import { addCommand, addGroup } from '../command-options';
import { addGatewayOptions, addServeOptions } from './serve-options';

export function addServeCommands(program: Command): void {
  const about = 'start the OpenAI-style gateway on 127.0.0.1';
  addServeOptions(addCommand(program, 'serve', about, async () => (await import('./serve')).serve));

  const service = addGroup(program, 'service', 'run the gateway at each login with systemd or launchd');
  const load = () => import('../service/service');
  const install = 'start the gateway now and at each login';
  addGatewayOptions(addCommand(service, 'install', install, async () => (await load()).serviceInstall)).option(
    '--print',
    'print the service file and do nothing else',
  );
  const uninstall = 'end the service and remove its file';
  addCommand(service, 'uninstall', uninstall, async () => (await load()).serviceUninstall);
  const status = 'say whether the service is installed and answers; exit code 1 if not';
  addCommand(service, 'status', status, async () => (await load()).serviceStatus).option('--json', 'print JSON');
}
