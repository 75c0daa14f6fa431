import type { Command } from 'commander';
import { LOG_FORMATS, LOG_LEVELS } from '../../log/log-options';
import { addCommand, addGroup, choiceOption, DEFAULT_LINES, parseCount } from '../command-options';

export function addDaemonCommands(program: Command): void {
  const daemon = addGroup(program, 'daemon', 'manage the background program behind agents and gateways');
  const load = () => import('./daemon');
  addCommand(daemon, 'start', 'start the daemon in the background', async () => (await load()).daemonStart);
  addCommand(daemon, 'stop', 'end the daemon, its processes and its gateways', async () => (await load()).daemonStop);
  const restart = 'end the daemon and start it with the current configuration and variables';
  addCommand(daemon, 'restart', restart, async () => (await load()).daemonRestart);
  const status = 'say whether the daemon runs; exit code 1 if not';
  addCommand(daemon, 'status', status, async () => (await load()).daemonStatus).option('--json', 'print JSON');
  addCommand(daemon, 'run', 'run the daemon in the foreground', async () => (await import('./daemon-run')).daemonRun)
    .option('--background', 'as `daemon start` does: log to the file, outlive the terminal')
    .addOption(choiceOption('--log-level <level>', 'what to log', LOG_LEVELS, 'info'))
    .addOption(choiceOption('--log-format <format>', 'how to log', LOG_FORMATS, 'text'));
  const logs = 'print the log of the daemon in the background';
  addCommand(daemon, 'logs', logs, async () => (await import('./daemon-logs')).daemonLogs)
    .option('-n, --lines <number>', 'how many lines', parseCount, DEFAULT_LINES)
    .option('-f, --follow', 'print new lines as they come');

  const reload = 'read the configuration again, without interrupting anything that runs';
  addCommand(program, 'reload', reload, async () => (await import('./reload')).reload)
    .option('--dry-run', 'check it and say what would change, and change nothing')
    .option('--json', 'print JSON');

  const uninstall = 'end the daemon, and remove the service and the shell completion; run it before npm uninstall';
  addCommand(program, 'uninstall', uninstall, async () => (await import('./uninstall')).uninstall).option(
    '--state',
    'remove records, usage and caches too',
  );
}
