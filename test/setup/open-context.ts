import type { DriverContext, Logger } from 'drivebay/plugin';
import { Environment } from '../../core/config/environment';
import { makeLogger } from '../../core/contract/make-logger';
import { HttpPool } from '../../core/http/http-pool';
import { createContext } from '../../core/plugins/context';
import { KeptTable } from '../../core/plugins/kept-table';
import { Redactor } from '../../core/contract/redact';
import { Programs } from '../../core/subprocess/programs';
import { TempHome } from './temp-home';

/** A driver's real context, in a home folder of its own. */
export class OpenContext<Options extends object> {
  readonly home = new TempHome();
  readonly logged: { level: keyof Logger; message: string; fields?: Record<string, unknown> }[] = [];
  readonly context: DriverContext<Options>;
  private readonly http: HttpPool;
  readonly programs: Programs;
  readonly kept = new KeptTable(() => Infinity).of();

  /** `environment` comes on top of a PATH and the home folder, which a function is told. */
  constructor(
    driver: string,
    options: Options,
    environment: Record<string, string> | ((home: string) => Record<string, string>) = {},
  ) {
    const processEnvironment = this.home.environment(
      typeof environment === 'function' ? environment(this.home.directory) : environment,
    );
    const log = makeLogger((level, message, fields) => void this.logged.push({ level, message, fields }));
    this.http = new HttpPool();
    this.programs = new Programs({ environment: processEnvironment, hidden: new Set(), log });
    this.context = createContext({
      provider: 'local',
      driver,
      options: { ...options } as Record<string, unknown>,
      environment: new Environment({ processEnvironment }),
      redactor: new Redactor(),
      log,
      http: this.http,
      programs: this.programs,
      kept: this.kept,
      cacheDirectory: `${this.home.directory}/.cache/drivebay`,
    }) as DriverContext<Options>;
  }

  async close(): Promise<void> {
    this.kept.close();
    await Promise.all([this.programs.close(), this.http.close()]);
    this.home.remove();
  }
}
