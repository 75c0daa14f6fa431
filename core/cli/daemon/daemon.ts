import { findDaemon, type FoundDaemon } from '../../daemon/client/find-daemon';
import { startDaemon } from '../../daemon/client/start-daemon';
import type { DaemonInfo } from '../../daemon/control/daemon-info';
import { HintedError } from '../../errors';
import { findPaths } from '../../paths';
import { formatTime } from '../../record/wall-clock';
import { EXIT } from '../exit-codes';
import { formatFacts } from '../terminal/format-facts';
import { paint, printAnswer, printJson, printNote } from '../terminal/print';
import { sayVersion } from './running-daemon';
import { untilInterrupted } from '../terminal/until-interrupted';
import { workingDirectory } from '../working-directory';

// What only one of these commands needs is loaded by it: a daemon that is started is waited for.

/** `daemon start`: makes sure that one runs. */
export async function daemonStart(): Promise<void> {
  const paths = findPaths(process.env, workingDirectory());
  const { daemon: running } = await findDaemon(paths);
  if (running) {
    printAnswer(`the daemon runs already (pid ${running.info.pid})`);
    sayVersion(running);
    return;
  }
  const { info } = await startDaemon(paths);
  printAnswer(`the daemon runs (pid ${info.pid})`);
}

/** `daemon stop`: ends the one that runs, and resolves when it is gone. */
export async function daemonStop(): Promise<void> {
  const { stopDaemon } = await import('../../daemon/client/stop-daemon');
  const pid = await untilInterrupted(stopDaemon(findPaths(process.env, workingDirectory()), { say: printNote }));
  printAnswer(pid === undefined ? 'no daemon is running' : `the daemon has ended (pid ${pid})`);
}

/** `daemon restart`: the new one has this command's environment. */
export async function daemonRestart(): Promise<void> {
  const { stopDaemon } = await import('../../daemon/client/stop-daemon');
  const paths = findPaths(process.env, workingDirectory());
  const { howToRestart } = await import('../../daemon/client/agreement');
  const check = (info: DaemonInfo) => {
    if (info.mode === 'background') return;
    throw new HintedError('the daemon runs in a terminal', howToRestart(info));
  };
  await untilInterrupted(stopDaemon(paths, { say: printNote, restart: true, check }));
  const { info: fresh } = await startDaemon(paths);
  printAnswer(`the daemon runs (pid ${fresh.pid})`);
}

/** `daemon status`: exit code 0 where one runs, 1 where none does. */
export async function daemonStatus({ json }: { json?: boolean }): Promise<void> {
  const { daemon } = await findDaemon(findPaths(process.env, workingDirectory()));
  if (!daemon) process.exitCode = EXIT.failure;
  if (json) {
    printJson({ running: Boolean(daemon), ...daemon?.info });
  } else if (daemon) {
    describe(daemon);
    sayVersion(daemon);
  } else {
    printAnswer('no daemon is running; commands that need one start it, or run: drivebay daemon start');
  }
}

function describe({ socket, info }: FoundDaemon): void {
  const { pid, version, mode, startedAt, processes, listeners, config, state, log } = info;
  const gateways = listeners.filter(({ serves }) => serves === 'gateway');
  const ports = gateways.map(({ port, project }) => `${port} (${project ?? 'no project'})`);
  const dashboard = listeners[0] && `http://127.0.0.1:${listeners[0].port}/dashboard/`;
  const facts: [string, string][] = [
    ['daemon', `${paint('green', 'running')}, pid ${pid}, version ${version}, ${MODES[mode]}`],
    ['since', formatTime(startedAt)],
    ['processes', `${processes} running`],
    ['gateways', ports.join(', ') || 'none'],
    ['dashboard', dashboard ?? 'run: drivebay dashboard'],
    ['configuration', config],
    ['state', state],
    ['socket', socket],
    ['log', log ?? 'in its terminal'],
  ];
  printAnswer(formatFacts(facts));
}

const MODES = { background: 'in the background', foreground: 'in a terminal', serve: 'as `drivebay serve`' };
