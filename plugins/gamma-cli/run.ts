import type { Call, ChatRequest, DriverContext, Subprocess } from 'drivebay/plugin';
import { plainPrompt } from '../_shared/cli/plain-prompt';
import { prepareFolder, writeRunFiles } from './chat-folder';
import type { Cli } from './cli';
import { commandLine } from './command-line';
import { environment, paysByGeminiKey } from './environment';
import type { Options } from './options';

export interface RunRequest {
  request: ChatRequest;
  call: Call;
  cli: Cli;
  signal: AbortSignal;
  onErrorLine: (line: string) => void;
}

export interface Run {
  program: Subprocess;
  /** Removes what was written for the run, once it is over. Never rejects. */
  release: () => Promise<void>;
}

/** Whether a call is talk: no agent process, and no tools that the provider gives to the gateway. */
export function isTalk({ options }: Pick<DriverContext<Options>, 'options'>, { workspace }: Call): boolean {
  return workspace === undefined && !options.gateway_tools;
}

export async function startRun(context: DriverContext<Options>, parts: RunRequest): Promise<Run> {
  const { request, call, cli, signal, onErrorLine } = parts;
  const { options } = context;
  const model = request.model === undefined ? undefined : context.argument(request.model, 'model');
  const talks = isTalk(context, call);
  // An agent needs the CLI's own system prompt: what the caller adds to it stands in the prompt.
  const { system = '', prompt } = context.layoutPrompt(request.messages, { separateSystem: talks });
  const args = commandLine(options, { cli, model, hasTools: !talks });
  const scratch = await context.scratch();
  const files = talks ? await writeRunFiles(scratch, system) : undefined;
  try {
    const needs = { hasTools: !talks, paysByKey: cli.dialect === 'gemini' && paysByGeminiKey(options) };
    const cwd = call.workspace?.workingDirectory ?? call.workspace?.directory ?? (await prepareFolder(scratch, needs));
    const env = environment(context, cli, files);
    const input = plainPrompt(prompt, ['/']);
    const program = await context.spawn(cli.path, args, { cwd, env, input, signal, onErrorLine });
    return {
      program,
      release: async () => {
        if (!files) return;
        await program.stop({ patienceMs: 2_000 });
        await files.remove();
      },
    };
  } catch (error) {
    await files?.remove();
    throw error;
  }
}
