import { EventEmitter, once } from 'node:events';
import { chmodSync, rmSync, writeFileSync } from 'node:fs';
import { createServer, type AddressInfo, type Server, type Socket } from 'node:net';
import { join } from 'node:path';
import { setTimeout as sleep } from 'node:timers/promises';
import { temporaryFolder } from '../check/temporary-folder';
import { CliStage, jsonLines, type Messages } from './cli-stage';
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
  /** The lines of the standard input so far. */
  lines: string[];
  /** Whether the process has ended. */
  ended: boolean;
}

/** The steps of a run, or a function that returns them after the end of its standard input. */
export type CliScript = CliStep[] | ((run: CliRunRecord) => CliStep[]);

/** A program that answers on its output while its standard input stays open. */
export interface CliConversation {
  /** Whether the run is one. Every other run gets the steps of `script`. */
  isOne(run: CliRunRecord): boolean;
  /** The steps for a line of the input. The end of the input ends the program. */
  answer(line: string, run: CliRunRecord): CliStep[];
}

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
  private conversation: CliConversation | undefined;
  private readonly alive = new Map<Socket, number>();
  private readonly events = new EventEmitter().setMaxListeners(0);
  private readonly folder = temporaryFolder('fake cli');

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

  /** Sets what runs do that are conversations. */
  converse(conversation: CliConversation): this {
    this.conversation = conversation;
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
      run = { ...(hello as unknown as CliRunRecord), stdin: undefined, lines: [], ended: false };
      this.runs.push(run);
    }
    this.events.emit('change');
    if (run) await this.listen(run, new CliStage(socket), told);
  }

  /** Takes the input of a run, and the reports of the steps that it has done. */
  private async listen(run: CliRunRecord, stage: CliStage, told: Messages): Promise<void> {
    const conversation = this.conversation?.isOne(run) ? this.conversation : undefined;
    let stdin = '';
    let rest = '';
    let playing: Promise<void> = Promise.resolve();
    for await (const message of told) {
      if (message.done) stage.noteDone();
      if (typeof message.input === 'string') {
        stdin += message.input;
        const lines = (rest + message.input).split('\n');
        rest = lines.pop() ?? '';
        run.lines.push(...lines);
        if (conversation) {
          for (const line of lines) playing = playing.then(() => this.play(conversation.answer(line, run), stage));
        }
      }
      if (message.isEnd) {
        run.stdin = stdin;
        const steps = conversation ? [] : typeof this.steps === 'function' ? this.steps(run) : this.steps;
        playing = playing.then(() => this.play([...steps, { exit: 0 }], stage));
      }
      if (!message.done) this.events.emit('change');
    }
    stage.close();
  }

  private async play(steps: CliStep[], stage: CliStage): Promise<void> {
    for (const step of steps) {
      if (stage.isOver) return;
      if (step === HANG) return stage.close();
      if (typeof step === 'number') await sleep(step);
      else if (step instanceof Promise) await step;
      else if (typeof step === 'function') await (step as () => unknown)();
      else {
        const before = this.alive.size;
        const isFork = 'fork' in Object(step);
        await stage.do(toProgramStep(step));
        if (isFork) await this.until(() => this.alive.size > before || stage.isOver);
      }
    }
  }
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
