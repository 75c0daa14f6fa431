import { existsSync, mkdirSync } from 'node:fs';
import { join } from 'node:path';
import { clientBlock } from '../docs/client-page';
import { type Backend, ClientStage } from '../setup/client-stage';
import type { ProgramRun } from '../setup/run-program';

const bin = join(__dirname, 'node_modules/.bin');

/** Nothing that has to do with the makers of a client. */
const QUIET = { DO_NOT_TRACK: '1', DISABLE_TELEMETRY: '1' };

/** What the client talks to. */
export interface Behind {
  /** Further options of `serve`. */
  words?: string[];
  backend?: Backend;
}

/** A client that `npm run test:clients` has installed, with the settings of docs/clients.md, in a project of its own. */
export class RealClient {
  private constructor(
    readonly stage: ClientStage,
    private readonly section: string,
    private readonly environment: Record<string, string>,
    /** The folder in which it works. */
    readonly project: string,
  ) {}

  static async start(
    section: string,
    environment: Record<string, string> = {},
    { words, backend }: Behind = {},
  ): Promise<RealClient> {
    if (!existsSync(bin)) throw new Error(`${bin} is not there: start the tests with npm run test:clients`);
    const stage = await ClientStage.start(words, backend);
    const project = join(stage.home.directory, 'project');
    mkdirSync(project);
    return new RealClient(stage, section, { ...QUIET, ...environment }, project);
  }

  /** The block of a language in the client's section. */
  block(language: string): string {
    return clientBlock(this.section, language, this.stage.gateway.url);
  }

  run(script: string): Promise<ProgramRun> {
    return this.stage.run(script, { cwd: this.project, bin, env: this.environment });
  }

  /** Runs a module that can import what is installed for the tests. */
  runModule(code: string): Promise<ProgramRun> {
    return this.stage.runModule(code, __dirname);
  }
}
