import { mkdirSync, mkdtempSync, realpathSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { dirname, join } from 'node:path';
import { type CliResult, runCli } from './run-cli';

/** The programs keep what V8 compiles of them: half of a start. */
const KEEPING_CODE = { NODE_OPTIONS: `--require ${JSON.stringify(join(__dirname, 'code-cache.js'))}` };

export const tempHome = () => new TempHome();

/** A home folder of its own, so that no test sees the machine's configuration, state or keys. */
export class TempHome {
  readonly directory = realpathSync(mkdtempSync(join(tmpdir(), 'drivebay-test-')));

  /** The environment of a program that runs in this home. Nothing but PATH comes from the machine. */
  environment(more: Record<string, string> = {}): Record<string, string> {
    const { PATH = '', TZ = '' } = process.env;
    return { PATH, TZ, HOME: this.directory, NO_COLOR: '1', ...KEEPING_CODE, ...more };
  }

  /** Writes a file below the home and returns its path. */
  write(file: string, content: string | Buffer): string {
    const path = join(this.directory, file);
    mkdirSync(dirname(path), { recursive: true });
    writeFileSync(path, content);
    return path;
  }

  /** Writes the global providers.yaml. */
  configure(yaml: string): string {
    return this.write('.config/drivebay/providers.yaml', yaml);
  }

  /** Writes a global providers.yaml with entries like `name: a, driver: parrot`. The first is on line 3. */
  providers(...entries: string[]): string {
    return this.configure(`version: "1"\nproviders:\n${entries.map((entry) => `  - { ${entry} }\n`).join('')}`);
  }

  /** Writes a plug-in into the user's folder, from its manifest and its code. */
  plugin(
    driver: string,
    options: { manifest?: Record<string, unknown>; code: string; main?: string; folder?: string },
  ): string {
    const { manifest = {}, code, main = './index.js', folder = `.config/drivebay/plugins/${driver}` } = options;
    const whole = { apiVersion: 1, driver, kind: 'http', main, summary: driver, ...manifest };
    this.write(`${folder}/manifest.json`, JSON.stringify(whole));
    this.write(`${folder}/${main}`, code);
    return join(this.directory, folder);
  }

  /** Runs the program in this home to its end. */
  run(...words: string[]): Promise<CliResult> {
    return this.runIn(this.directory, words);
  }

  runIn(cwd: string, words: string[], more: Record<string, string> = {}): Promise<CliResult> {
    return runCli(words, { env: this.environment(more), cwd });
  }

  remove(): void {
    rmSync(this.directory, { recursive: true, force: true, maxRetries: 3 });
  }
}
