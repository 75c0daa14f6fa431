import type { Command } from 'commander';
import { USAGE_GROUPINGS } from '../../record/usage';
import { choiceOption, DEFAULT_LINES, lazy, NO_PROJECT, parseCount, parsePort } from '../command-options';
import type { DaemonLogsOptions } from '../daemon/daemon-logs';

/** The commands about agent processes, for the command line and the shell. */
export function addProcessCommands(program: Command): void {
  program
    .command('ps')
    .description('list the running agent processes')
    .option('-a, --all', 'also those that have ended')
    .option('--json', 'print JSON')
    .action(lazy(async () => (await import('./ps')).ps));

  program
    .command('kill <pid>')
    .description('end an agent process and every program it started')
    .action(lazy(async () => (await import('./kill-and-wait')).kill));

  program
    .command('wait <pid>')
    .description('wait until an agent process has ended; exit code 0 after a good end')
    .action(lazy(async () => (await import('./kill-and-wait')).wait));

  program
    .command('trace <pid>')
    .description('show what an agent process did: steps, tools, usage, cost')
    .option('-f, --follow', 'print new events as they come')
    .option('--json', 'print JSON; with --follow one event per line')
    .action(lazy(async () => (await import('./trace')).trace));
}

/** The other commands about what happened, and about what agents can use. */
export function addRecordCommands(program: Command): void {
  program
    .command('logs [pid]')
    .description('print what an agent process logged besides its answer; without a pid, the log of the daemon')
    .option('-n, --lines <number>', 'how many lines of the daemon', parseCount, DEFAULT_LINES)
    .option('-f, --follow', 'print new lines as they come')
    .action(async (pid: string | undefined, options: DaemonLogsOptions) =>
      pid === undefined
        ? (await import('../daemon/daemon-logs')).daemonLogs(options)
        : (await import('./logs')).logs(pid, options),
    );

  program
    .command('usage')
    .description('add up tokens and cost of the gateway and of agents')
    .addOption(choiceOption('--by <what>', 'what to group by', [...USAGE_GROUPINGS], 'provider'))
    .option('--json', 'print JSON')
    .action(lazy(async () => (await import('./usage')).usage));

  program
    .command('dashboard')
    .description('look at providers, processes, steps and cost in a browser')
    .option('--port <number>', 'port to open it on; default: an open gateway, or any free port', parsePort)
    .option('--no-open', 'print the address, key included, and open no browser')
    .option('--no-project', NO_PROJECT)
    .action(lazy(async () => (await import('../dashboard/dashboard')).dashboard));

  program
    .command('devices')
    .description('list the devices that agents of this project can use')
    .option('--json', 'print JSON')
    .option('--no-project', NO_PROJECT)
    .action(lazy(async () => (await import('../config/devices')).devices));
}
