import { spawn, spawnSync, type ChildProcess } from 'node:child_process';
import { once } from 'node:events';
import { setTimeout as pause } from 'node:timers/promises';
import { join } from 'node:path';
import { freePort } from '../setup/running-gateway';

const isThere = (program: string) => spawnSync(program, ['--version']).status === 0;

/** `test` where Prometheus is installed; elsewhere the name of the skipped test says what is missing. */
export const withPrometheus: (name: string, run: () => Promise<void>) => void =
  isThere('prometheus') && isThere('promtool')
    ? (name, run) => test(name, run)
    : (name) =>
        test.skip(`${name} (left out: there is no Prometheus here, install it with test/observability/ci.sh)`, () =>
          undefined);

/** Runs promtool and returns what it says. Throws where it complains. */
export function promtool(args: string[], input?: string): string {
  const { status, stdout, stderr } = spawnSync('promtool', args, { encoding: 'utf8', input });
  if (status !== 0) throw new Error(`promtool ${args.join(' ')}:\n${stdout}${stderr}`);
  return stdout + stderr;
}

/** A real server, with a configuration in a folder of the test. */
export class PrometheusServer {
  private constructor(
    private readonly child: ChildProcess,
    private readonly url: string,
  ) {}

  static async start(folder: string, configuration: string): Promise<PrometheusServer> {
    const port = await freePort();
    const data = join(folder, 'prometheus-data');
    const flags = [`--config.file=${configuration}`, `--storage.tsdb.path=${data}`];
    const child = spawn('prometheus', [...flags, `--web.listen-address=127.0.0.1:${port}`], { stdio: 'ignore' });
    const server = new PrometheusServer(child, `http://127.0.0.1:${port}`);
    await server.until(async () => (await fetch(`${server.url}/-/ready`)).ok);
    return server;
  }

  /** The series that an expression gives now. */
  async query(expression: string): Promise<{ metric: Record<string, string>; value: number }[]> {
    const response = await fetch(`${this.url}/api/v1/query?query=${encodeURIComponent(expression)}`);
    const answer = (await response.json()) as QueryAnswer;
    if (!answer.data) throw new Error(`${expression}: ${answer.error}`);
    return answer.data.result.map(({ metric, value: [, value] }) => ({ metric, value: Number(value) }));
  }

  async rules(): Promise<{ name: string; health: string; lastError?: string }[]> {
    const answer = (await (await fetch(`${this.url}/api/v1/rules`)).json()) as RulesAnswer;
    return answer.data.groups.flatMap(({ rules }) => rules);
  }

  async until(isSo: () => Promise<boolean>): Promise<void> {
    for (;;) {
      if (await isSo().catch(() => false)) return;
      if (this.child.exitCode !== null) throw new Error(`prometheus ended with exit code ${this.child.exitCode}`);
      await pause(100);
    }
  }

  async stop(): Promise<void> {
    if (this.child.exitCode !== null) return;
    this.child.kill('SIGTERM');
    await once(this.child, 'exit');
  }
}

interface QueryAnswer {
  error?: string;
  data?: { result: { metric: Record<string, string>; value: [number, string] }[] };
}

interface RulesAnswer {
  data: { groups: { rules: { name: string; health: string; lastError?: string }[] }[] };
}
