import { existsSync, mkdirSync, readdirSync } from 'node:fs';
import { delimiter, join } from 'node:path';
import { ClientStage, type WantedCall } from './client-stage';
import { LiveTerminal } from './live-terminal';
import { cliPath } from './run-cli';
import type { ProgramRun } from './run-program';

const QUIET = { DO_NOT_TRACK: '1', DISABLE_TELEMETRY: '1' };
const launching = (words: string) => `'${process.execPath}' '${cliPath}' launch ${words}`;

/** A real program that `launch` starts, in a project of its own, on a scripted server. */
export class LaunchedClient {
  readonly project: string;

  private constructor(
    readonly stage: ClientStage,
    private readonly bin: string,
  ) {
    this.project = join(stage.home.directory, 'project');
    mkdirSync(this.project);
  }

  /** `bin`: the folder with the program. */
  static async start(bin: string): Promise<LaunchedClient> {
    if (!existsSync(bin)) throw new Error(`${bin} is not there: start the tests by their npm script`);
    return new LaunchedClient(await ClientStage.start(), bin);
  }

  /** Runs `drivebay launch` with words as a shell reads them, to its end. The model makes the call first. */
  launch(words: string, call: WantedCall, env: Record<string, string> = {}): Promise<ProgramRun> {
    this.stage.call = call;
    return this.stage.run(launching(words), { cwd: this.project, bin: this.bin, env: { ...QUIET, ...env } });
  }

  /** The same in a terminal, while it runs. */
  launchInTerminal(words: string): LiveTerminal {
    const env = this.stage.home.environment(QUIET);
    env.PATH = `${this.bin}${delimiter}${env.PATH}`;
    return new LiveTerminal(launching(words), { env, cwd: this.project });
  }

  /** The folders of settings that are left. */
  left(): string[] {
    const folder = join(this.stage.home.directory, '.local/state/drivebay/launch');
    return existsSync(folder) ? readdirSync(folder) : [];
  }
}
