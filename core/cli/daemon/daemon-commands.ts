import type { Command } from 'commander';
import { choiceOption, parseCount, DEFAULT_LINES } from '../option-parsers';
import { LOG_FORMATS, LOG_LEVELS } from '../../log/log-options';

/** The program behind agents and gateways. */
export function addDaemonCommands(program: Command): void {
  const daemon = program.command('daemon').description('the program behind agents and gateways').helpCommand(false);
  daemon
    .command('start')
    .description('start the daemon in the background')
    .action(async () => (await import('./daemon')).daemonStart());
  daemon
    .command('stop')
    .description('end the daemon, its processes and its gateways')
    .action(async () => (await import('./daemon')).daemonStop());
  daemon
    .command('restart')
    .description('end the daemon and start it with the configuration and the variables of now')
    .action(async () => (await import('./daemon')).daemonRestart());
  daemon
    .command('status')
    .description('say whether the daemon runs; exit code 1 where it does not')
    .option('--json', 'print JSON')
    .action(async (options: { json?: boolean }) => (await import('./daemon')).daemonStatus(options));
  daemon
    .command('run')
    .description('run the daemon in the foreground')
    .option('--background', 'as `daemon start` does it: log to the file, outlive the terminal')
    .addOption(choiceOption('--log-level <level>', 'what to log', LOG_LEVELS, 'info'))
    .addOption(choiceOption('--log-format <format>', 'how to log', LOG_FORMATS, 'text'))
    .action(async (options: import('./daemon-run').DaemonRunOptions) =>
      (await import('./daemon-run')).daemonRun(options),
    );
  daemon
    .command('logs')
    .description('print the log of the daemon in the background')
    .option('-n, --lines <number>', 'how many lines', parseCount, DEFAULT_LINES)
    .option('-f, --follow', 'go on with what comes')
    .action(async (options: import('./daemon-logs').DaemonLogsOptions) =>
      (await import('./daemon-logs')).daemonLogs(options),
    );
}
