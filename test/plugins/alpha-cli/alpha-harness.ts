import { type CliRunRecord, type CliStep, FakeCli } from 'drivebay/testing';
import createDriver, { type AlphaCliDriver } from '../../../plugins/alpha-cli';
import type { Options } from '../../../plugins/alpha-cli/options';
import { OpenContext } from '../../setup/open-context';
import { CliHarness } from '../cli-harness';
import { HELP } from './help';
import { init, result, said } from './lines';

/** `grace_sec` is core's: stubborn programs must not hold the tests. */
export const DEFAULTS: Options & { grace_sec: number } = {
  grace_sec: 1,
  permission_mode: 'bypassPermissions',
  extra_args: [],
  gateway_tools: false,
};

/** The driver behind a fake program that also answers the question for its help. */
export class AlphaHarness extends CliHarness<Options, AlphaCliDriver> {
  static async start(options: Partial<Options> = {}, environment: Record<string, string> = {}): Promise<AlphaHarness> {
    const cli = await FakeCli.start({ name: 'claude' });
    const open = new OpenContext<Options>('alpha-cli', { ...DEFAULTS, command: cli.command, ...options }, environment);
    const harness = new AlphaHarness(cli, createDriver(open.context), open);
    harness.script([init(), said('Hello'), result('Hello')]);
    return harness;
  }

  /** What chats do from now on, and what the help says. */
  script(steps: CliStep[] | ((run: CliRunRecord) => CliStep[]), help: CliStep[] = [HELP]): void {
    this.cli.script((run) => {
      if (run.argv.join(' ') === '-p --help') return help;
      return typeof steps === 'function' ? steps(run) : steps;
    });
  }

  get chats(): CliRunRecord[] {
    return this.cli.runs.filter(({ argv }) => !argv.includes('--help'));
  }

  override get run(): CliRunRecord {
    return this.chats[0]!;
  }

  /** Without the warning that tests run by root get. */
  override get warnings(): string[] {
    return super.warnings.filter((message) => !message.includes('runs as root'));
  }
}
