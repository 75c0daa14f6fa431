import type { Command } from 'commander';
import { choiceOption, DEFAULT_LINES, NO_PROJECT, parseCount, parseGivenPort } from '../option-parsers';

/** What was written down, and what agents can use. */
export function addRecordCommands(program: Command): void {
  program
    .command('logs [pid]')
    .description('print what an agent process had to say besides its answer; without a pid, the log of the daemon')
    .option('-n, --lines <number>', 'how many lines of the daemon', parseCount, DEFAULT_LINES)
    .option('-f, --follow', 'go on with what comes')
    .action(async (pid: string | undefined, options: import('../daemon/daemon-logs').DaemonLogsOptions) =>
      pid === undefined
        ? (await import('../daemon/daemon-logs')).daemonLogs(options)
        : (await import('./process-logs')).processLogs(pid, options),
    );

  program
    .command('usage')
    .description('add up tokens and cost of the gateway and of agents')
    .addOption(choiceOption('--by <what>', 'what to group by', ['provider', 'day', 'project'], 'provider'))
    .option('--json', 'print JSON')
    .action(async (options: import('./usage').UsageOptions) => (await import('./usage')).usage(options));

  program
    .command('dashboard')
    .description('look at providers, processes, steps and cost in a browser')
    .option('--port <number>', 'port to open it on; default: an open gateway, or any port that is free', parseGivenPort)
    .option('--no-open', 'print the address, key included, and open no browser')
    .option('--no-project', NO_PROJECT)
    .action(async (options: import('../serve/dashboard').DashboardOptions) =>
      (await import('../serve/dashboard')).dashboard(options),
    );

  program
    .command('devices')
    .description('list the devices that agents of this project can use')
    .option('--json', 'print JSON')
    .option('--no-project', NO_PROJECT)
    .action(async (options: import('./devices').DevicesOptions) => (await import('./devices')).devices(options));
}
