import { delimiter } from 'node:path';
import { type ProgramRun, runProgram } from './run-program';
import { RunningGateway } from './running-gateway';
import { TempHome } from './temp-home';
import {
  type Answer,
  completion,
  delta,
  DONE,
  finish,
  json,
  type RecordedRequest,
  sse,
  Upstream,
  usageChunk,
} from './upstream';

/** A call that the model asks for, when the client offers the tool. */
export interface WantedCall {
  name: string;
  arguments: Record<string, unknown>;
}

/** What stands behind the gateway: a provider named `local`, and a server that plays what it asks. */
export interface Backend {
  /** The entry, without its name. */
  provider(url: string): Record<string, unknown>;
  /** What the gateway finds in its environment; files of the home may be written. */
  environment?(url: string, home: TempHome): Record<string, string>;
  /** `call` is made once, until its result is there. */
  answer(request: RecordedRequest, call: WantedCall | undefined): Answer;
}

export const TEXT = 'Grüße from the model.';
export const TEXT_AFTER_CALL = 'The tool has answered.';
const CALL_ID = 'call_a';
/** What the settings of docs/clients.md have for a key. */
const KEY = 'unused';
const RUN_LIMIT_MS = 160_000;

/** A gateway that wants a key, in front of a scripted server, and a home for one client. */
export class ClientStage {
  /** Made once, until the client brings its result. */
  call: WantedCall | undefined;
  /** What the server says to every chat in place of an answer. */
  refusal: Answer | undefined;

  private constructor(
    readonly home: TempHome,
    private readonly upstream: Upstream,
    readonly gateway: RunningGateway,
    backend: Backend,
  ) {
    upstream.answer((request) => (this.refusal && isChat(request) ? this.refusal : backend.answer(request, this.call)));
  }

  /** `words` are further options of `serve`. */
  static async start(words: string[] = [], backend: Backend = CHAT_SERVER): Promise<ClientStage> {
    const [home, upstream] = [new TempHome(), await Upstream.start()];
    const { url } = upstream;
    const provider = JSON.stringify({ name: 'local', ...backend.provider(url) });
    home.configure(`version: "1"\nproviders:\n  - ${provider}\n`);
    const env = home.environment({ GATEWAY_KEY: KEY, ...backend.environment?.(url, home) });
    const gateway = await RunningGateway.start(['--api-key-env', 'GATEWAY_KEY', ...words], { env });
    return new ClientStage(home, upstream, gateway, backend);
  }

  async end(): Promise<void> {
    await this.gateway.stop();
    await this.upstream.close();
    this.home.remove();
  }

  /** The bodies of all chats that have reached the server. */
  // eslint-disable-next-line @typescript-eslint/no-explicit-any -- bodies of the wire
  get chats(): any[] {
    return this.upstream.requests.filter(isChat).map(({ body }) => body as unknown);
  }

  /** What the client has brought as the result of the call. */
  get result(): unknown {
    const messages = this.chats.at(-1)?.messages as { role: string; tool_call_id?: string; content: unknown }[];
    return messages.find(({ role, tool_call_id }) => role === 'tool' && tool_call_id === CALL_ID)?.content;
  }

  /** Runs a script as the user would, in a folder of the home if no other is named, with programs of `bin` on the path. */
  run(script: string, options: { cwd?: string; bin?: string; env?: Record<string, string> } = {}): Promise<ProgramRun> {
    const env = this.home.environment(options.env);
    if (options.bin !== undefined) env.PATH = `${options.bin}${delimiter}${env.PATH}`;
    return runProgram('sh', ['-c', script], { cwd: options.cwd, env, limitMs: RUN_LIMIT_MS });
  }

  /** Runs an ES module as if it stood in the folder. */
  runModule(code: string, cwd: string): Promise<ProgramRun> {
    return this.run('exec node --input-type=module -e "$CODE"', { cwd, env: { CODE: code } });
  }
}

function answerChat(request: RecordedRequest, call: WantedCall | undefined): Answer {
  if (request.path.endsWith('/embeddings')) return json({ data: [{ embedding: [0.5, 1] }, { embedding: [2, 4] }] });
  if (!isChat(request)) return json({ object: 'list', data: [{ id: 'm-1', object: 'model' }] });
  const { messages, tools, stream } = request.body as ChatBody;
  const hasResult = messages.some(({ role }) => role === 'tool');
  if (call && !hasResult && tools?.some((tool) => tool.function.name === call.name)) return asksFor(call, stream);
  const text = hasResult ? TEXT_AFTER_CALL : TEXT;
  if (!stream) return json(completion(text));
  return sse([delta(text.slice(0, 3)), delta(text.slice(3)), finish(), usageChunk(3, 2), DONE]);
}

const CHAT_SERVER: Backend = {
  provider: (url) => ({ driver: 'chat-compat', base_url: `${url}/v1`, default_model: 'm-1' }),
  answer: answerChat,
};

interface ChatBody {
  messages: { role: string }[];
  tools?: { function: { name: string } }[];
  stream?: boolean;
}

const isChat = ({ path }: RecordedRequest) => path.endsWith('/chat/completions');

function asksFor(call: WantedCall, isStream = false): Answer {
  const text = JSON.stringify(call.arguments);
  const toolCall = (args: string) => ({
    id: CALL_ID,
    type: 'function',
    function: { name: call.name, arguments: args },
  });
  if (!isStream) {
    const message = { role: 'assistant', content: null, tool_calls: [toolCall(text)] };
    return json(completion(message, { choices: [{ index: 0, message, finish_reason: 'tool_calls' }] }));
  }
  const more = (args: string) => delta({ tool_calls: [{ index: 0, function: { arguments: args } }] });
  const first = delta({ tool_calls: [{ index: 0, ...toolCall('') }] });
  return sse([first, more(text.slice(0, 5)), more(text.slice(5)), finish('tool_calls'), usageChunk(3, 2), DONE]);
}
