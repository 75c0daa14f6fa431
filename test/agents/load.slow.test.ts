import { FakeCli, HANG, type CliRunRecord } from 'drivebay/testing';
import { setTimeout as pause } from 'node:timers/promises';
import { ControlClient } from '../../core/daemon/client/control-client';
import type { EndState, ProcessEvent } from '../../core/record/process-event';
import { HELP } from '../plugins/alpha-cli/help';
import { init, result, said } from '../plugins/alpha-cli/lines';
import { DaemonHome } from '../setup/daemon-home';

const AT_ONCE = 4;
let cli: FakeCli;

beforeEach(async () => (cli = await FakeCli.start({ name: 'claude' })));
afterEach(() => cli.close());

const isProbe = ({ argv }: CliRunRecord) => argv.includes('--help');
const taskOf = ({ stdin }: CliRunRecord) => /(?:hold|say) \d+/.exec(stdin ?? '')?.[0] ?? 'nothing';

/** A daemon with an agent CLI as its only provider. */
async function start(): Promise<{ home: DaemonHome; client: ControlClient }> {
  const home = new DaemonHome();
  const agent = { name: 'agent', driver: 'alpha-cli', command: cli.command, max_concurrency: AT_ONCE, grace_sec: 1 };
  home.configure(JSON.stringify({ version: '1', default_provider: 'agent', providers: [agent] }));
  await home.start();
  return { home, client: new ControlClient(home.socket) };
}

/** Starts a process, shows its events to `watch`, and resolves with them when it has ended. */
async function spawn(
  { home, client }: { home: DaemonHome; client: ControlClient },
  intent: string,
  watch: (event: ProcessEvent, uuid: string) => void,
): Promise<ProcessEvent[]> {
  const { directory: workingDirectory } = home;
  const body = { intent, workingDirectory, project: { workingDirectory }, attach: true };
  const events: ProcessEvent[] = [];
  let uuid = '';
  for await (const line of client.stream('POST', '/v1/processes', { body })) {
    const event = line as ProcessEvent;
    if (event.type === 'created') ({ uuid } = event);
    events.push(event);
    watch(event, uuid);
  }
  return events;
}

function endOf(events: ProcessEvent[]): EndState | undefined {
  const last = events.at(-1);
  return last?.type === 'exit' ? last.state : undefined;
}

test('a hundred at once come to their end, four at a time at most, though some are killed at any moment', async () => {
  let most = 0;
  const atWork = new Set<string>();
  const killed = new Set<string>(['nothing']);
  cli.script((run) => {
    if (isProbe(run)) return [HELP];
    const task = taskOf(run);
    if (!killed.has(task)) atWork.add(task);
    most = Math.max(most, atWork.size);
    if (task.startsWith('hold')) return [init(), HANG];
    // From its last word on it has no slot, and may take its time to end. So may one that is killed.
    return [init(), said('Hello'), () => atWork.delete(task), result('Hello')];
  });
  const daemon = await start();
  const kill = async (task: string, uuid: string) => {
    await pause(Math.random() * 200);
    killed.add(task);
    atWork.delete(task);
    await daemon.client.call('POST', `/v1/processes/${uuid}/kill`);
  };
  // Every tenth is killed while it waits or begins, every other tenth at work: it would never end by itself.
  const all = await Promise.all(
    Array.from({ length: 100 }, (_, index) => {
      const moment = index % 10 === 0 ? 'created' : 'running';
      const task = index % 5 === 0 ? `hold ${index}` : `say ${index}`;
      return spawn(daemon, task, (event, uuid) => {
        if (index % 5 === 0 && event.type === moment) void kill(task, uuid);
      });
    }),
  );
  expect(all.map(endOf)).toEqual(Array.from(all, (_, index) => (index % 5 === 0 ? 'killed' : 'done')));
  expect(most).toBeGreaterThan(1);
  expect(most).toBeLessThanOrEqual(AT_ONCE);
  await cli.until(() => cli.processes().length === 0);
  const { stdout } = await daemon.home.run('ps', '-a', '--json');
  const { processes } = JSON.parse(stdout) as { processes: { pid: number; state: string }[] };
  expect(processes.map(({ pid }) => pid)).toEqual(Array.from(all, (_, index) => index + 1));
  expect(processes.filter(({ state }) => state === 'done')).toHaveLength(80);
});
