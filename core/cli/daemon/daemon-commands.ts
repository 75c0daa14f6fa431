import type { Command } from 'commander';
import { LOG_FORMATS, LOG_LEVELS } from '../../log/log-options';
import { choiceOption, DEFAULT_LINES, lazy, parseCount } from '../command-options';

export function addDaemonCommands(program: Command): void {
  const daemon = program
    .command('daemon')
    .description('manage the program behind agents and gateways')
    .helpCommand(false);
  daemon
    .command('start')
    .description('start the daemon in the background')
    .action(lazy(async () => (await import('./daemon')).daemonStart));
  daemon
    .command('stop')
    .description('end the daemon, its processes and its gateways')
    .action(lazy(async () => (await import('./daemon')).daemonStop));
  daemon
    .command('restart')
    .description('end the daemon and start it with the current configuration and variables')
    .action(lazy(async () => (await import('./daemon')).daemonRestart));
  daemon
    .command('status')
    .description('say whether the daemon runs; exit code 1 if not')
    .option('--json', 'print JSON')
    .action(lazy(async () => (await import('./daemon')).daemonStatus));
  daemon
    .command('run')
    .description('run the daemon in the foreground')
    .option('--background', 'as `daemon start` does: log to the file, outlive the terminal')
    .addOption(choiceOption('--log-level <level>', 'what to log', LOG_LEVELS, 'info'))
    .addOption(choiceOption('--log-format <format>', 'how to log', LOG_FORMATS, 'text'))
    .action(lazy(async () => (await import('./daemon-run')).daemonRun));
  daemon
    .command('logs')
    .description('print the log of the daemon in the background')
    .option('-n, --lines <number>', 'how many lines', parseCount, DEFAULT_LINES)
    .option('-f, --follow', 'print new lines as they come')
    .action(lazy(async () => (await import('./daemon-logs')).daemonLogs));
}
