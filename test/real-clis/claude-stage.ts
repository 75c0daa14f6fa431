import { mkdirSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { type HttpAnswer, type HttpRequestRecord, type HttpWire, json, type ScriptedAnswer } from 'drivebay/testing';
import { chatCompatWire } from '../authoring/chat-compat-wire';
import { etaWire } from '../authoring/eta-wire';
import { zetaWire } from '../authoring/zeta-wire';
import { LiveTerminal } from '../setup/live-terminal';
import { runProgram } from '../setup/run-program';
import { RunningGateway } from '../setup/running-gateway';
import { TempHome } from '../setup/temp-home';
import { Upstream } from '../setup/upstream';
import { CRASHING } from './crashing-plugin';
import { installedCli } from './installed-cli';

const WIRES = { chat: chatCompatWire, openai: chatCompatWire, gemini: zetaWire, anthropic: etaWire } as const;
const DRIVERS = { chat: 'openai-compatible', openai: 'openai', gemini: 'gemini', anthropic: 'anthropic' } as const;

export type Backend = keyof typeof WIRES;
export const BACKENDS = Object.keys(WIRES) as Backend[];

/** An answer in neutral form, or in the form of the backend. */
export type Turn = Partial<ScriptedAnswer> | HttpAnswer;

export interface ClaudeRun {
  code: number | null;
  /** The last words, as `--output-format json` has them. */
  result: string;
  sessionId: string;
  output: string;
}

/** A call of one of Claude Code's tools. */
export const calls = (...wanted: [name: string, input: object][]): Partial<ScriptedAnswer> => ({
  toolCalls: wanted.map(([name, input]) => ({
    id: `call_${++count}`,
    name,
    arguments: JSON.stringify(input),
    signature: Buffer.from(`signature ${count}`).toString('base64'),
  })),
  finish: 'tool_calls',
});
let count = 0;

/** Claude Code as a client of a gateway, with a scripted backend of each wire behind it. */
export class ClaudeStage {
  private readonly turns: Turn[] = [];
  private elsewhere: (text: string) => Turn | undefined = () => undefined;

  private constructor(
    readonly home: TempHome,
    readonly gateway: RunningGateway,
    private readonly upstreams: Record<Backend, Upstream>,
  ) {
    for (const name of BACKENDS) {
      upstreams[name].answer((request) => probe(name, request) ?? this.next(WIRES[name], request));
    }
  }

  static async start(): Promise<ClaudeStage> {
    const home = new TempHome();
    const started = await Promise.all(BACKENDS.map(async (name) => [name, await Upstream.start()] as const));
    const upstreams = Object.fromEntries(started) as Record<Backend, Upstream>;
    const entries = BACKENDS.map((name) => {
      const entry = { name, driver: DRIVERS[name], default_model: `${name}-model`, api_key_env: 'BACKEND_KEY' };
      // The gateway speaks chat completions with it, whatever else it may have.
      const wire = name === 'openai' ? { wire: 'chat' } : {};
      return JSON.stringify({ ...entry, ...WIRES[name].options(upstreams[name].url), ...wire });
    });
    home.plugin('talker', { code: TALKER });
    home.plugin('crashing', CRASHING);
    const others = ['talker', 'crashing'].map((name) => `{ name: ${name}, driver: ${name}, default_model: t }`);
    home.configure(
      `version: "1"\ndefault_provider: chat\nproviders:\n${[...entries, ...others].map((e) => `  - ${e}\n`).join('')}`,
    );
    const gateway = await RunningGateway.start([], { env: home.environment({ BACKEND_KEY: 'key-of-the-test' }) });
    return new ClaudeStage(home, gateway, upstreams);
  }

  /** The answers to the next chats, in their order, whichever backend gets them. */
  script(...turns: Turn[]): void {
    this.turns.splice(0, Infinity, ...turns);
    this.elsewhere = () => undefined;
    for (const upstream of Object.values(this.upstreams)) upstream.requests.length = 0;
  }

  /** What chats get that stand in no order with those of the script, by the text of the request. */
  beside(answer: (text: string) => Turn | undefined): void {
    this.elsewhere = answer;
  }

  /** The chats that a backend got since the script was written. */
  chats(name: Backend): HttpRequestRecord[] {
    return this.upstreams[name].requests.filter((request) => !probe(name, request) && request.method === 'POST');
  }

  /** Waits for something about a backend. */
  until(name: Backend, isReached: (upstream: Upstream) => boolean): Promise<void> {
    return this.upstreams[name].until(() => isReached(this.upstreams[name]));
  }

  get unplayed(): number {
    return this.turns.length;
  }

  project(): string {
    const folder = join(this.home.directory, `project-${++count}`);
    mkdirSync(folder);
    return folder;
  }

  /** How the program is sent to the gateway, with one model for everything. */
  environment(model: string | undefined, more: Record<string, string> = {}): Record<string, string> {
    const names = model === undefined ? {} : modelVariables(model);
    return this.home.environment({
      ...{ ANTHROPIC_BASE_URL: this.gateway.url, ANTHROPIC_AUTH_TOKEN: 'unused', IS_SANDBOX: '1', ...names },
      ...{ CLAUDE_CODE_DISABLE_NONESSENTIAL_TRAFFIC: '1', CLAUDE_CODE_MAX_RETRIES: '2', ...more },
    });
  }

  /** Asks one question. */
  async ask(prompt: string, options: AskOptions): Promise<ClaudeRun> {
    const { model, cwd = this.project(), words = [], env, interrupt } = options;
    const fixed = ['-p', prompt, '--output-format', 'json', '--dangerously-skip-permissions'];
    const asked = { cwd, env: this.environment(model, env), interrupt };
    const { code, stdout, stderr } = await runProgram(installedCli('claude'), [...fixed, ...words], asked);
    return { code, output: stdout + stderr, ...lastWords(stdout) };
  }

  /** The program at a terminal, in a folder that the user has trusted before, with its first prompt. */
  terminal(prompt: string, model: string): LiveTerminal {
    const cwd = this.project();
    const projects = { [cwd]: { hasTrustDialogAccepted: true } };
    const settings = { hasCompletedOnboarding: true, theme: 'dark', projects };
    writeFileSync(join(this.home.directory, '.claude.json'), JSON.stringify(settings));
    return new LiveTerminal(`'${installedCli('claude')}' '${prompt}'`, { env: this.environment(model), cwd });
  }

  async close(): Promise<void> {
    await this.gateway.stop();
    await Promise.all(Object.values(this.upstreams).map((upstream) => upstream.close()));
    this.home.remove();
  }

  private next(wire: HttpWire, request: HttpRequestRecord): HttpAnswer {
    const turn = this.elsewhere(request.text) ?? this.turns.shift() ?? { pieces: ['More than the test expects.'] };
    if ('headers' in turn) return turn;
    const answer: ScriptedAnswer = {
      ...{ pieces: [''], usage: { inputTokens: 1200, outputTokens: 10 }, finish: 'stop' },
      ...(turn as Partial<ScriptedAnswer>),
    };
    const { pieces, ...rest } = wire.answer(answer, request);
    // The program takes messages of one id for one message.
    const id = `"msg_${++count}"`;
    return {
      ...rest,
      pieces: pieces.map((piece) => (typeof piece === 'string' ? piece.replace('"msg_1"', id) : piece)),
    };
  }
}

interface AskOptions {
  /** Absent: the program asks for the models that it would without us. */
  model?: string;
  cwd?: string;
  words?: string[];
  env?: Record<string, string>;
  /** Sends Ctrl-C when it fires. */
  interrupt?: AbortSignal;
}

/** Requests that are no chats. */
function probe(name: Backend, request: HttpRequestRecord): HttpAnswer | undefined {
  if (request.path.includes('/count_tokens')) return json({ input_tokens: request.text.length });
  return WIRES[name].probe?.(request);
}

/** A provider that cannot call tools. */
const TALKER = `module.exports = () => ({
  async *chat() { yield { type: 'text', text: 'just talk' }; yield { type: 'finish', reason: 'stop' }; },
  async check() {},
})`;

function modelVariables(model: string): Record<string, string> {
  const names = ['MODEL', 'DEFAULT_OPUS_MODEL', 'DEFAULT_SONNET_MODEL', 'DEFAULT_HAIKU_MODEL'];
  return Object.fromEntries(names.map((name) => [`ANTHROPIC_${name}`, model]));
}

function lastWords(stdout: string): { result: string; sessionId: string } {
  try {
    const { result, session_id: sessionId } = JSON.parse(stdout) as { result: string; session_id: string };
    return { result, sessionId };
  } catch {
    return { result: '', sessionId: '' };
  }
}
