import { EventEmitter, on, once } from 'node:events';
import { chmodSync, mkdtempSync, rmSync, writeFileSync } from 'node:fs';
import { createServer, type AddressInfo, type Server, type Socket } from 'node:net';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { setTimeout as sleep } from 'node:timers/promises';
import { type CliStep, HANG, toProgramStep } from './cli-step';
import { fakeCliProgram } from './fake-cli-program';

/** One run of a fake CLI. */
export interface CliRunRecord {
  /** The arguments, without the program itself. */
  argv: string[];
  env: Record<string, string>;
  cwd: string;
  pid: number;
  /** The standard input. Undefined until its end. */
  stdin: string | undefined;
  /** Whether the process has ended. */
  ended: boolean;
}

/** The steps of a run, or a function that returns them after the end of its standard input. */
export type CliScript = CliStep[] | ((run: CliRunRecord) => CliStep[]);

/**
 * A real executable that plays the agent CLI of a driver, with every fault of a process.
 *
 *     const cli = await FakeCli.start();
 *     cli.script([{ type: 'text', text: 'Hello' }, { type: 'result' }]);   // for every run from now on
 *     spawn(cli.command, ['-p'])                                         // by the driver
 *
 * Its path contains a space. A run reads its standard input to the end before its first step.
 */
export class FakeCli {
  /** All runs so far, in order of their start. */
  readonly runs: CliRunRecord[] = [];
  readonly command: string;
  private steps: CliScript = [];
  private readonly alive = new Map<Socket, number>();
  private readonly events = new EventEmitter().setMaxListeners(0);
  private readonly folder = mkdtempSync(join(tmpdir(), 'fake cli-'));

  private constructor(
    private readonly server: Server,
    name: string,
    readsStdin: boolean,
  ) {
    this.command = join(this.folder, name);
    const { port } = server.address() as AddressInfo;
    writeExecutable(this.command, fakeCliProgram(port, readsStdin));
    server.on('connection', (socket) => void this.attend(socket));
  }

  /**
   * Writes the executable, by default with the name `agent`. With `stdin: 'ignore'` it closes its standard input unread
   * and starts at once.
   */
  static async start({
    name = 'agent',
    stdin = 'read',
  }: { name?: string; stdin?: 'read' | 'ignore' } = {}): Promise<FakeCli> {
    const server = createServer({ noDelay: true });
    server.listen(0, '127.0.0.1');
    await once(server, 'listening');
    return new FakeCli(server, name, stdin === 'read');
  }

  /** Sets the steps of all further runs. */
  script(steps: CliScript): this {
    this.steps = steps;
    return this;
  }

  /** The process ids of the living runs and their children. */
  processes(): number[] {
    return [...this.alive.values()];
  }

  /** Resolves when the condition holds. Tests it when a process starts, has read its input, or ends. */
  async until(condition: () => boolean): Promise<void> {
    while (!condition()) await once(this.events, 'change');
  }

  /** Removes the executable, as an update does. */
  uninstall(): void {
    rmSync(this.command, { force: true });
  }

  /** Ends every process and removes the executable. */
  async close(): Promise<void> {
    for (const socket of this.alive.keys()) socket.destroy();
    await this.until(() => this.alive.size === 0);
    this.server.close();
    rmSync(this.folder, { recursive: true, force: true });
  }

  private async attend(socket: Socket): Promise<void> {
    let run: CliRunRecord | undefined;
    socket.on('error', () => undefined);
    socket.on('close', () => {
      this.alive.delete(socket);
      if (run) run.ended = true;
      this.events.emit('change');
    });
    const told = jsonLines(socket);
    const { value: hello } = await told.next();
    if (!hello) return;
    this.alive.set(socket, hello.pid as number);
    if (!hello.child) {
      run = { ...(hello as unknown as CliRunRecord), stdin: undefined, ended: false };
      this.runs.push(run);
    }
    this.events.emit('change');
    if (!run) return;
    const { value: input } = await told.next();
    if (!input) return;
    run.stdin = input.stdin as string;
    this.events.emit('change');
    await this.play(typeof this.steps === 'function' ? this.steps(run) : this.steps, socket, told);
  }

  private async play(steps: CliStep[], socket: Socket, told: Messages): Promise<void> {
    for (const step of [...steps, { exit: 0 }]) {
      if (socket.destroyed || step === HANG) return;
      if (typeof step === 'number') await sleep(step);
      else if (step instanceof Promise) await step;
      else if (typeof step === 'function') await (step as () => unknown)();
      else {
        const before = this.alive.size;
        const isFork = 'fork' in Object(step);
        socket.write(`${JSON.stringify(toProgramStep(step))}\n`);
        if ((await told.next()).done) return;
        if (isFork) await this.until(() => this.alive.size > before || socket.destroyed);
      }
    }
  }
}

type Messages = AsyncGenerator<Record<string, unknown>, undefined>;

/** The messages of a program, one JSON object per line. `on` also reads while no one waits, so the end is reported at once. */
async function* jsonLines(socket: Socket): Messages {
  let rest = '';
  try {
    for await (const [text] of on(socket.setEncoding('utf8'), 'data', { close: ['close'] }) as AsyncIterable<
      [string]
    >) {
      const lines = (rest + text).split('\n');
      rest = lines.pop() ?? '';
      for (const line of lines) yield JSON.parse(line) as Record<string, unknown>;
    }
  } catch {
    // A connection that breaks has ended.
  }
  return undefined;
}

/** A `#!` line allows neither spaces nor long paths, so a shell script takes its place where needed. */
function writeExecutable(file: string, program: string): void {
  const node = process.execPath;
  if (!/\s/.test(node) && node.length < 120) writeFileSync(file, `#!${node}\n${program}`);
  else {
    writeFileSync(`${file}.js`, program);
    writeFileSync(file, `#!/bin/sh\nexec '${node.replaceAll("'", `'\\''`)}' '${file}.js' "$@"\n`);
  }
  chmodSync(file, 0o755);
}
