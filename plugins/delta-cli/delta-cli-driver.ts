import type {
  Call,
  ChatEvent,
  ChatRequest,
  CheckResult,
  Diagnosis,
  Driver,
  DriverContext,
  DriverFailure,
  Subprocess,
} from 'drivebay/plugin';
import { noteSilence } from '../_shared/cli/note-silence';
import { billing, configuredBilling } from './billing';
import { CHAT_ENVIRONMENT, chatSettings } from './chat-settings';
import { commandLine } from './command-line';
import { diagnose } from './diagnose';
import { environment } from './environment';
import { EventReader } from './event-reader';
import { explainEnd, explainFailure, type Failed } from './explain-failure';
import { explainClashes } from './extra-args';
import { type Options, sandboxMode } from './options';
import { isHopeless } from './retry-notice';

const PROXY_VARIABLES = ['HTTPS_PROXY', 'https_proxy', 'ALL_PROXY', 'all_proxy', 'HTTP_PROXY', 'http_proxy'];

/** Runs `codex exec` for each call. */
export class DeltaCliDriver implements Driver {
  constructor(private readonly context: DriverContext<Options>) {
    const { log, options } = context;
    if (sandboxMode(options) === 'danger-full-access') {
      log.warn('sandbox_mode danger-full-access: commands of the model run without a sandbox, with all your rights');
    }
    for (const clash of explainClashes(options)) log.warn(clash);
  }

  async *chat(request: ChatRequest, call: Call): AsyncGenerator<ChatEvent, void, undefined> {
    const { context } = this;
    const input = context.layoutPrompt(request.messages).prompt;
    const model = request.model === undefined ? undefined : context.argument(request.model, 'model');
    const ignored = context.ignoredFields(request);
    const program = await this.start({ model, effort: request.reasoningEffort, input }, call);
    if (ignored.length > 0) yield { type: 'meta', ignored };
    yield* this.read(program, { model, call });
  }

  async check(): Promise<CheckResult> {
    const program = await this.resolve();
    const { options } = this.context;
    if (options.api_key_env) this.context.requireApiKey();
    return { detail: `${program}, billing: ${(await configuredBilling(options)) ?? "the program's login"}` };
  }

  async metadata(): Promise<Record<string, string>> {
    const program = await this.resolve();
    return {
      resolved_bin: program,
      sandbox_mode: sandboxMode(this.context.options),
      billing: await billing(this.context, program),
    };
  }

  async *diagnose(call: Call): AsyncGenerator<Diagnosis, void, undefined> {
    yield* diagnose(this.context, await this.resolve(), call);
  }

  private async start(
    { model, effort, input }: { model: string | undefined; effort: string | undefined; input: string },
    call: Call,
  ): Promise<Subprocess> {
    const { context } = this;
    const { options } = context;
    const { signal, workspace } = call;
    const program = await this.resolve();
    const isChat = workspace === undefined && !options.gateway_tools;
    const env = { ...environment(context), ...(isChat && CHAT_ENVIRONMENT) };
    const args = commandLine(options, { model, effort, settings: isChat ? await chatSettings() : [] });
    call.trace('delta_cli.resolve', { resolved_bin: program, sandbox_mode: sandboxMode(options), tools: !isChat });
    const cwd = workspace?.workingDirectory ?? workspace?.directory;
    return context.spawn(program, args, { env, input, signal, ...(cwd !== undefined && { cwd }) });
  }

  private async *read(
    program: Subprocess,
    { model, call }: { model: string | undefined; call: Call },
  ): AsyncGenerator<ChatEvent, void, undefined> {
    const { context } = this;
    const reader = new EventReader();
    const failed = (): Failed => ({ model, hasActed: reader.hasActed });
    let isSilent = true;
    try {
      for await (const { text, json } of program.jsonLines()) {
        isSilent = false;
        if (json === undefined) call.log.debug('codex printed what is no event', { text: text.slice(0, 200) });
        const { events, retry, note } = reader.read(json);
        for (const event of events) yield event;
        if (note) call.trace('delta_cli.item', note);
        if (retry !== undefined) {
          call.trace('delta_cli.retry', { reason: retry });
          if (isHopeless(retry, usesProxy())) {
            void program.stop();
            throw explainFailure(context, retry, failed());
          }
        }
        if (reader.failure !== undefined) throw explainFailure(context, reader.failure, failed());
        if (reader.isComplete) return;
      }
    } finally {
      if (isSilent)
        noteSilence(call, 'codex', 'its own configuration may make it wait for an MCP server, a hook or its backend');
    }
    const error = await program.error();
    throw explainEnd(context, { stderr: program.stderr, lastError: reader.lastError, error }, failed());
  }

  private async resolve(): Promise<string> {
    const { context } = this;
    const { command } = context.options;
    try {
      return await context.resolveBinary(command, { userFolders: true });
    } catch (error) {
      const { code, kind, message } = error as DriverFailure;
      if (kind !== 'binary_missing') throw error;
      const hint = 'run: npm install -g @openai/codex && codex login; or set command to the path of the program';
      throw context.error(code, message, { kind, hint, cause: error });
    }
  }
}

/** The CLI sees the same variables. */
function usesProxy(): boolean {
  return PROXY_VARIABLES.some((name) => process.env[name]);
}
