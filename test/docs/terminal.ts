import { type ChildProcess, spawn } from 'node:child_process';
import { once } from 'node:events';
import { mkdirSync, readFileSync, writeFileSync } from 'node:fs';
import { dirname, join, resolve } from 'node:path';
import { createInterface, type Interface } from 'node:readline';

/** A reader's terminal: one bash for all steps, so that variables, functions and the working directory stay. */
export class Terminal {
  private readonly shell: ChildProcess;
  private readonly answers: AsyncIterator<string>;
  private readonly lines: Interface;
  private readonly script: string;
  private readonly output: string;

  constructor(options: { home: string; cwd: string; env: Record<string, string> }) {
    this.script = join(options.home, '.block.sh');
    this.output = join(options.home, '.output');
    this.shell = spawn('bash', ['--norc', '-O', 'expand_aliases'], {
      cwd: options.cwd,
      env: options.env,
      stdio: ['pipe', 'pipe', 'inherit'],
      // With everything that it starts, it can be ended as a group.
      detached: true,
    });
    this.lines = createInterface({ input: this.shell.stdout! });
    this.answers = this.lines[Symbol.asyncIterator]();
  }

  /** Runs a script and resolves with its exit code and what it printed. */
  async run(script: string): Promise<{ code: number; output: string }> {
    writeFileSync(this.script, script);
    const code = Number(await this.ask(`. '${this.script}' < /dev/null > '${this.output}' 2>&1; echo $?`));
    return { code, output: readFileSync(this.output, 'utf8') };
  }

  /** Writes a file as the reader would, in the working directory. */
  async write(file: string, content: string): Promise<void> {
    const path = await this.find(file);
    mkdirSync(dirname(path), { recursive: true });
    writeFileSync(path, content);
  }

  /** Changes a part of a file, which has to be there. */
  async change(file: string, from: string, to: string): Promise<void> {
    const path = await this.find(file);
    const text = readFileSync(path, 'utf8');
    if (!text.includes(from)) throw new Error(`${file} has no such part:\n${from}`);
    writeFileSync(
      path,
      text.replace(from, () => to),
    );
  }

  async close(): Promise<void> {
    if (this.shell.exitCode !== null) return;
    const closed = once(this.shell, 'close');
    process.kill(-this.shell.pid!, 'SIGTERM');
    await closed;
    this.lines.close();
  }

  private async find(file: string): Promise<string> {
    return resolve(await this.ask('pwd'), file);
  }

  private async ask(command: string): Promise<string> {
    this.shell.stdin!.write(`${command}\n`);
    const { value, done } = await this.answers.next();
    if (done) throw new Error('the shell has ended');
    return value;
  }
}
