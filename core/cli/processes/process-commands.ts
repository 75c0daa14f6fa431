import { type Command, Option } from 'commander';
import { USAGE_GROUPINGS } from '../../record/usage';
import { addCommand, choiceOption, DEFAULT_LINES, NO_PROJECT, parseCount, parsePort } from '../command-options';
import { parseFrom, parseTo } from './parse-date';

export function addProcessCommands(program: Command): void {
  addCommand(program, 'ps', 'list the running agent processes', async () => (await import('./ps')).ps)
    .option('-a, --all', 'include processes that have ended')
    .option('--json', 'print JSON');
  const kill = 'end an agent process and every program it started';
  addCommand(program, 'kill <pid>', kill, async () => (await import('./kill-and-wait')).kill);
  const wait = 'wait until an agent process has ended; exit code 0 if it succeeded';
  addCommand(program, 'wait <pid>', wait, async () => (await import('./kill-and-wait')).wait);
  const trace = 'show what an agent process did: steps, tools, usage, cost';
  addCommand(program, 'trace <pid>', trace, async () => (await import('./trace')).trace)
    .option('-f, --follow', 'print new events as they come')
    .option('--json', 'print JSON; with --follow one event per line');
}

export function addRecordCommands(program: Command): void {
  const logs = 'print what an agent process logged besides its answer; without a pid, the log of the daemon';
  addCommand(program, 'logs [pid]', logs, async () => (await import('./logs')).logs)
    .option('-n, --lines <number>', 'how many lines of the daemon', parseCount, DEFAULT_LINES)
    .option('-f, --follow', 'print new lines as they come');
  const usage = 'add up tokens and cost of the gateway and of agents';
  addCommand(program, 'usage', usage, async () => (await import('./usage')).usage)
    .addOption(choiceOption('--by <what>', 'what to group by', [...USAGE_GROUPINGS], 'provider'))
    .option('--from <date>', 'count from this day or time on, like 2026-11-01 or "2026-11-01 14:30"', parseFrom)
    .option('--to <date>', 'count up to the end of this day, or up to this time', parseTo)
    .option('--json', 'print JSON')
    .addOption(new Option('--csv', 'print CSV, for spreadsheets').conflicts('json'))
    .addOption(new Option('--reprice', 'show what it would cost at the prices configured now').conflicts(['csv', 'by']))
    .option('--write', 'with --reprice: count with these prices from now on');
  const dashboard = 'show providers, processes, steps and cost in a browser';
  addCommand(program, 'dashboard', dashboard, async () => (await import('../dashboard/dashboard')).dashboard)
    .option('--port <number>', 'port to open it on; default: an open gateway, or any free port', parsePort)
    .option('--no-open', 'print the address, key included, and open no browser')
    .option('--no-project', NO_PROJECT);
  const devices = 'list the devices that agents of this project can use';
  addCommand(program, 'devices', devices, async () => (await import('../config/devices')).devices)
    .option('--json', 'print JSON')
    .option('--no-project', NO_PROJECT);
}
