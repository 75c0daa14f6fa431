import type { Command } from 'commander';
import { choiceOption, NO_PROJECT } from './option-parsers';

/** What the command line, unlike the shell, tells of agents besides. */
export function addRecordCommands(program: Command): void {
  program
    .command('logs <pid>')
    .description('print what an agent process had to say besides its answer')
    .option('-f, --follow', 'go on with what comes')
    .action((pid: string, options: { follow?: boolean }) =>
      (require('./process-logs') as typeof import('./process-logs')).processLogs(pid, options),
    );

  program
    .command('usage')
    .description('add up tokens and cost of the gateway and of agents')
    .addOption(choiceOption('--by <what>', 'what to group by', ['provider', 'day', 'project'], 'provider'))
    .option('--json', 'print JSON')
    .action((options: import('./usage').UsageOptions) =>
      (require('./usage') as typeof import('./usage')).usage(options),
    );

  program
    .command('devices')
    .description('list the devices that agents of this project can use')
    .option('--json', 'print JSON')
    .option('--no-project', NO_PROJECT)
    .action((options: import('./devices').DevicesOptions) =>
      (require('./devices') as typeof import('./devices')).devices(options),
    );
}
