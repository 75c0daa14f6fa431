import { join } from 'node:path';
import { FakeHttpServer, type HttpAnswer, type HttpRequestRecord, json } from 'drivebay/testing';
import { runProgram } from '../setup/run-program';
import { RunningGateway } from '../setup/running-gateway';
import { TempHome } from '../setup/temp-home';
import { installedCli } from './installed-cli';

/** A gateway whose provider is the real Claude Code, in front of a played backend. */
export class ClaudeGateway {
  private constructor(
    readonly home: TempHome,
    private readonly upstream: FakeHttpServer,
    private gateway: RunningGateway,
  ) {}

  /** `model` answers the chats of the program. */
  static async start(model: (request: HttpRequestRecord) => HttpAnswer): Promise<ClaudeGateway> {
    const upstream = await FakeHttpServer.start();
    // The program greets its backend with requests that are no chats.
    upstream.answer((request) => (isChat(request) ? model(request) : json({})));
    const home = new TempHome();
    const entry = { name: 'claude', driver: 'claude-code', command: installedCli('claude'), api_key_env: 'MY_KEY' };
    home.configure(`version: "1"\nproviders:\n  - ${JSON.stringify({ ...entry, default_model: 'claude-opus-4-8' })}\n`);
    return new ClaudeGateway(home, upstream, await openGateway(home, upstream));
  }

  get url(): string {
    return this.gateway.url;
  }

  /** The chats that reached the backend. */
  get chats(): HttpRequestRecord[] {
    return this.upstream.requests.filter(isChat);
  }

  async restart(): Promise<void> {
    await this.gateway.stop();
    this.gateway = await openGateway(this.home, this.upstream);
  }

  /** Runs a program as a client, in a folder of the home, to its end. */
  async run(program: string, words: string[], env: Record<string, string> = {}): Promise<string> {
    const asked = { cwd: join(this.home.directory, 'work'), env: this.home.environment(env) };
    const { stdout, stderr } = await runProgram(installedCli(program), words, asked);
    return stdout + stderr;
  }

  async close(): Promise<void> {
    await this.gateway.stop();
    this.home.remove();
    await this.upstream.close();
  }
}

function openGateway(home: TempHome, upstream: FakeHttpServer): Promise<RunningGateway> {
  return RunningGateway.start([], {
    env: home.environment({
      ...{ ANTHROPIC_BASE_URL: upstream.url, IS_SANDBOX: '1', MY_KEY: 'key-of-the-test' },
      ...{ CLAUDE_CODE_DISABLE_NONESSENTIAL_TRAFFIC: '1', CLAUDE_CODE_MAX_RETRIES: '0' },
    }),
  });
}

function isChat({ method, path }: HttpRequestRecord): boolean {
  return method === 'POST' && path.startsWith('/v1/messages');
}
