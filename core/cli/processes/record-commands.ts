import type { Command } from 'commander';
import { choiceOption, DEFAULT_LINES, NO_PROJECT, parseCount, parseGivenPort } from '../option-parsers';

/** What was written down, and what agents can use. */
export function addRecordCommands(program: Command): void {
  program
    .command('logs [pid]')
    .description('print what an agent process had to say besides its answer; without a pid, the log of the daemon')
    .option('-n, --lines <number>', 'how many lines of the daemon', parseCount, DEFAULT_LINES)
    .option('-f, --follow', 'go on with what comes')
    .action((pid: string | undefined, options: import('../daemon/daemon-logs').DaemonLogsOptions) =>
      pid === undefined
        ? (require('../daemon/daemon-logs') as typeof import('../daemon/daemon-logs')).daemonLogs(options)
        : (require('./process-logs') as typeof import('./process-logs')).processLogs(pid, options),
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
    .command('dashboard')
    .description('look at providers, processes, steps and cost in a browser')
    .option('--port <number>', 'port to open it on; default: an open gateway, or any port that is free', parseGivenPort)
    .option('--no-open', 'print the address, key included, and open no browser')
    .option('--no-project', NO_PROJECT)
    .action((options: import('../serve/dashboard').DashboardOptions) =>
      (require('../serve/dashboard') as typeof import('../serve/dashboard')).dashboard(options),
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
