import { setImmediate as nextTurn } from 'node:timers/promises';
import { formatTime } from '../../contract/wall-clock';
import { type FoundDaemon } from '../../daemon/client/find-daemon';
import type { DaemonInfo } from '../../daemon/control/daemon-info';
import { HintedError } from '../../errors';
import { EXIT } from '../exit-codes';
import { checkState } from '../folder-fault';
import { pathsHere } from '../here';
import { formatFacts, paint, printAnswer, printNote, printReport } from '../terminal/print';
import { untilInterrupted } from '../terminal/signals';
import { endUnused, findDaemonHere, sayVersion, startDaemonHere } from './running-daemon';

// Speed: each command loads alone what it alone needs, because `daemon start` is waited for.

/** `daemon start`: makes sure that a daemon runs, which the configuration of this folder must allow. */
export async function daemonStart(): Promise<void> {
  await checkState();
  const running = await findDaemonHere();
  // Speed: the daemon starts while this command checks.
  const [started, checked] = await Promise.allSettled([running ?? startDaemonHere(), checkSoon()]);
  if (checked.status === 'rejected') {
    if (!running) await endUnused();
    throw checked.reason;
  }
  if (started.status === 'rejected') throw started.reason;
  printAnswer(`the daemon runs${running ? ' already' : ''} (pid ${started.value.info.pid})`);
  if (running) await sayVersion(running);
}

async function checkSoon(): Promise<void> {
  // Loading and checking block this program, which starts another one just now.
  await nextTurn();
  const { checkProjects } = await import('./check-projects');
  await checkProjects();
}

export async function daemonStop(): Promise<void> {
  const { stopDaemon } = await import('../../daemon/client/stop-daemon');
  const pid = await untilInterrupted(stopDaemon(pathsHere(), { say: printNote }));
  printAnswer(pid === undefined ? 'no daemon is running' : `the daemon has ended (pid ${pid})`);
}

/** `daemon restart`: the new daemon has the environment of this command. Nothing ends where the new one could not work. */
export async function daemonRestart(): Promise<void> {
  const { checkProjects } = await import('./check-projects');
  const { stopDaemon } = await import('../../daemon/client/stop-daemon');
  const { howToRestart } = await import('../../daemon/client/agreement');
  let isService = false;
  const check = async (info: DaemonInfo | undefined) => {
    isService = info?.mode === 'service';
    if (isService) await (await import('../service/service')).demandService();
    else if (info?.mode === 'background') refuseLoss(info);
    else if (info) throw new HintedError('the daemon runs in a terminal', howToRestart(info));
    await checkState();
    await checkProjects(info);
  };
  await untilInterrupted(stopDaemon(pathsHere(), { say: printNote, restart: true, check }));
  // A service has the variables of its own file, and not those of this terminal.
  if (isService) await (await import('../service/service')).serviceRestart();
  const daemon = isService ? await findDaemonHere() : await startDaemonHere();
  printAnswer(daemon ? `the daemon runs (pid ${daemon.info.pid})` : 'the service runs');
}

/** A restart must not take a key away that works: the new daemon has the environment of this terminal. */
function refuseLoss({ variables }: DaemonInfo): void {
  const lost = variables.filter((name) => !process.env[name]?.trim());
  if (lost.length === 0) return;
  const names = lost.join(', ');
  const hint = `restart it in a terminal that has ${names}; to do without: drivebay daemon stop`;
  throw new HintedError(`the daemon has ${names} and this terminal has not: a restart here would lose it`, hint);
}

/** `daemon status`: exit code 0 where a daemon runs, else 1. */
export async function daemonStatus({ json }: { json?: boolean }): Promise<void> {
  const daemon = await findDaemonHere();
  if (!daemon) process.exitCode = EXIT.failure;
  printReport(json, { running: Boolean(daemon), ...daemon?.info }, () => (daemon ? describe(daemon) : NOT_RUNNING));
  if (daemon && !json) await sayVersion(daemon);
}

const NOT_RUNNING = 'no daemon is running; commands that need one start it, or run: drivebay daemon start';
const MODES = {
  background: 'in the background',
  foreground: 'in a terminal',
  serve: 'as `drivebay serve`',
  service: 'as a service',
};

function describe({ socket, info }: FoundDaemon): string {
  const { pid, version, mode, startedAt, processes, listeners, config, state, log } = info;
  const gateways = listeners.filter(({ serves }) => serves === 'gateway');
  const ports = gateways.map(({ port, project }) => `${port} (${project ?? 'no project'})`);
  const dashboard = listeners[0] && `http://127.0.0.1:${listeners[0].port}/dashboard/`;
  return formatFacts([
    ['daemon', `${paint('green', 'running')}, pid ${pid}, version ${version}, ${MODES[mode]}`],
    ['since', formatTime(startedAt)],
    ['processes', `${processes} running`],
    ['gateways', ports.join(', ') || 'none'],
    ['dashboard', dashboard ?? 'run: drivebay dashboard'],
    ['configuration', config],
    ['state', state],
    ['socket', socket],
    ['log', log ?? (mode === 'service' ? 'run: drivebay service status' : 'in its terminal')],
  ]);
}
