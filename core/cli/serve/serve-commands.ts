import type { Command } from 'commander';
import { LOG_FORMATS } from '../../log/log-options';
import { addCommand, addGroup, choiceOption, NO_PROJECT } from '../command-options';
import { addGatewayOptions } from './serve-options';

const WATCH = ['--watch', 'reload when a file of the configuration, or a plug-in, has changed'] as const;
const RECORD = [
  '--record <folder>',
  'write each request that has ended into a file there: stages, attempts, cost',
] as const;
const RECORD_CONTENT = ['--record-content', 'with --record: also prompts, answers and messages of failures'] as const;

export function addServeCommands(program: Command): void {
  const about = 'start the OpenAI-style gateway on 127.0.0.1';
  addGatewayOptions(addCommand(program, 'serve', about, async () => (await import('./serve')).serve))
    .addOption(choiceOption('--log-format <format>', 'how to log', LOG_FORMATS, 'text'))
    .option(...WATCH)
    .option(...RECORD)
    .option(...RECORD_CONTENT)
    .option('--no-project', NO_PROJECT);

  const service = addGroup(program, 'service', 'run the gateway at each login, by systemd or launchd');
  const load = () => import('../service/service');
  const install = 'start the gateway now and at each login';
  addGatewayOptions(addCommand(service, 'install', install, async () => (await load()).serviceInstall))
    .option(...WATCH)
    .option(...RECORD)
    .option(...RECORD_CONTENT)
    .option('--print', 'print the service file and do nothing else');
  const uninstall = 'end the service and remove its file';
  addCommand(service, 'uninstall', uninstall, async () => (await load()).serviceUninstall);
  const status = 'say whether the service is installed and answers; exit code 1 if not';
  addCommand(service, 'status', status, async () => (await load()).serviceStatus).option('--json', 'print JSON');
}
