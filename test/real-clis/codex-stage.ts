import { join } from 'node:path';
import { FakeHttpServer, type HttpAnswer, type HttpRequestRecord } from 'drivebay/testing';
import { LiveTerminal } from '../setup/live-terminal';
import { type ProgramRun, runProgram } from '../setup/run-program';
import { RunningGateway } from '../setup/running-gateway';
import { TempHome } from '../setup/temp-home';
import { posts } from '../setup/upstream';
import { installedCli } from './installed-cli';
import { type Answerer, deciding, playing, type Turn } from './scripted-wires';

export interface CodexOptions {
  model?: string;
  /** The display name of the provider. */
  name?: string;
  /** Lines of the configuration: at its top, of the provider, and further tables. */
  config?: string[];
  provider?: string[];
  tables?: string[];
  /** Another gateway than that of the stage. */
  gateway?: RunningGateway;
  /** Sends Ctrl-C when it fires. */
  interrupt?: AbortSignal;
}

/** The real program as a client of a real gateway, in front of a loopback server that plays every vendor. */
export class CodexStage {
  private answer: (request: HttpRequestRecord) => HttpAnswer = playing();
  private seen = 0;

  private constructor(
    readonly home: TempHome,
    private readonly upstream: FakeHttpServer,
    readonly gateway: RunningGateway,
  ) {
    upstream.answer((request) => this.answer(request));
  }

  /** One provider of each driver, named after it; the first of them is the default. */
  static async start(plugins: Record<string, Parameters<TempHome['plugin']>[1]> = {}): Promise<CodexStage> {
    const [home, upstream] = [new TempHome(), await FakeHttpServer.start()];
    const { url } = upstream;
    for (const [driver, plugin] of Object.entries(plugins)) home.plugin(driver, plugin);
    const more = Object.keys(plugins).map((driver) => `  - { name: ${driver}, driver: ${driver} }\n`);
    home.configure(`version: "1"
providers:
  - { name: chat-compat, driver: chat-compat, base_url: "${url}/v1", default_model: m-1, models: { m-1: { context_window: 50000 } } }
  - { name: epsilon, driver: epsilon, base_url: "${url}/v1", default_model: m-1 }
  - { name: native, driver: epsilon, base_url: "${url}/v1", default_model: m-1, wire: responses }
  - { name: zeta, driver: zeta, base_url: "${url}", default_model: m-1 }
  - { name: eta, driver: eta, base_url: "${url}", default_model: m-1, thinking_budget: 2000 }
${more.join('')}`);
    const keys = {
      OPENAI_API_KEY: 'k-openai-key',
      GEMINI_API_KEY: 'k-gemini-key',
      ANTHROPIC_API_KEY: 'k-anthropic-key',
    };
    return new CodexStage(home, upstream, await RunningGateway.start([], { env: home.environment(keys) }));
  }

  async end(): Promise<void> {
    await this.gateway.stop();
    await this.upstream.close();
    this.home.remove();
  }

  /** What the server does with the calls from here on: each takes the next one, and the last one stays. */
  plays(...turns: (Turn | HttpAnswer)[]): void {
    this.begin(playing(...turns));
  }

  /** The same for calls that come in no order. */
  decides(answerTo: Answerer): void {
    this.begin(deciding(answerTo));
  }

  /** The calls that reached the server since then. */
  get calls(): HttpRequestRecord[] {
    return posts(this.upstream).slice(this.seen);
  }

  /** Waits for something about the server. */
  until(isReached: (upstream: FakeHttpServer) => boolean): Promise<void> {
    return this.upstream.until(() => isReached(this.upstream));
  }

  /** Runs `codex exec` in a folder of the home. */
  exec(words: string[], options: CodexOptions = {}): Promise<ProgramRun> {
    const { model = 'chat-compat', interrupt } = options;
    this.configure(options);
    const fixed = ['exec', '--skip-git-repo-check', '--dangerously-bypass-approvals-and-sandbox', '-m', model];
    const asked = { cwd: this.folder, env: this.home.environment(), interrupt };
    return runProgram(installedCli('codex'), [...fixed, ...words], asked);
  }

  /** The program at a terminal, in a folder that the user trusts, with its first prompt. */
  terminal(prompt: string, model = 'chat-compat'): LiveTerminal {
    const trust = [`[projects."${this.folder}"]`, 'trust_level = "trusted"'];
    this.configure({ tables: ['[features]', 'daemon_auto_start = false', ...trust] });
    const program = `'${installedCli('codex')}' --dangerously-bypass-approvals-and-sandbox -m ${model} '${prompt}'`;
    return new LiveTerminal(program, { env: this.home.environment(), cwd: this.folder });
  }

  /** Where the program works. */
  get folder(): string {
    return join(this.home.directory, 'work');
  }

  /** Sets the program up as the page for clients says. */
  configure({ name = 'Drivebay', gateway = this.gateway, ...lines }: CodexOptions): void {
    const { config = [], provider = [], tables = [] } = lines;
    this.home.write(
      '.codex/config.toml',
      [
        'model_provider = "drivebay"',
        'check_for_update_on_startup = false',
        ...config,
        '[analytics]',
        'enabled = false',
        '[model_providers.drivebay]',
        `name = "${name}"`,
        `base_url = "${gateway.url}/v1"`,
        'wire_api = "responses"',
        ...provider,
        ...tables,
      ].join('\n'),
    );
    this.home.write('work/README', 'a folder to work in\n');
  }

  private begin(answer: CodexStage['answer']): void {
    this.answer = answer;
    this.seen = posts(this.upstream).length;
  }
}
