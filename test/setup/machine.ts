import { chmodSync, mkdirSync } from 'node:fs';
import { COMMONJS, withCheck } from './driver-code';
import { TempHome } from './temp-home';

/** A home in which nothing is found but what a test puts there: the PATH is its own. */
export class Machine extends TempHome {
  readonly bin = `${this.directory}/bin`;
  readonly config = `${this.directory}/.config/drivebay/providers.yaml`;

  constructor() {
    super();
    mkdirSync(this.bin);
  }

  override environment(more: Record<string, string> = {}): Record<string, string> {
    return super.environment({ PATH: this.bin, DRIVEBAY_PLUGIN_PATH: `${this.directory}/third`, ...more });
  }

  /** A program that runs. */
  program(name: string, code = ''): string {
    const path = this.write(`bin/${name}`, `#!${process.execPath}\n${code}`);
    chmodSync(path, 0o755);
    return path;
  }

  /** A third party's plug-in, in a folder of the plug-in path, whose manifest says how it is found. */
  third(driver: string, manifest: Record<string, unknown>, check?: string): void {
    const code = check === undefined ? COMMONJS : withCheck(check);
    this.plugin(driver, { manifest, code, folder: `third/${driver}` });
  }
}
