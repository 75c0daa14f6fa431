import { basename } from 'node:path';
import type { Call, ChatRequest, DriverContext, Subprocess } from 'drivebay/plugin';
import { matchesFlag } from '../_shared/cli/matches-flag';
import type { Capabilities } from './capabilities';
import { toCommandLine } from './command-line';
import { childEnvironment } from './environment';
import type { Options } from './options';
import { toPrompt } from './prompt';
import type { SystemPromptFiles } from './system-prompt-files';

/** What a chat asks of the program. Made before anything is started: a request that cannot be run costs nothing. */
export interface RunPlan {
  model: string | undefined;
  effort: string | undefined;
  key: { name: string; value: string } | undefined;
  hasTools: boolean;
}

export interface Run {
  program: Subprocess;
  name: string;
  plan: RunPlan;
  /** Gives back what was written for the run. Never throws. */
  release(): void;
}

const SYSTEM_PROMPT = {
  own: ['--system-prompt', '--system-prompt-file'],
  added: ['--append-system-prompt', '--append-system-prompt-file'],
} as const;

export function planRun(context: DriverContext<Options>, request: ChatRequest, call: Call): RunPlan {
  const { model, reasoningEffort } = request;
  const { api_key_env: keyName, gateway_tools: hasGatewayTools } = context.options;
  return {
    model: model === undefined ? undefined : context.argument(model, 'model'),
    effort: reasoningEffort ? context.argument(reasoningEffort, 'reasoning_effort') : undefined,
    key: keyName === undefined ? undefined : { name: keyName, value: context.requireApiKey() },
    hasTools: call.workspace !== undefined || hasGatewayTools,
  };
}

export async function startRun(
  context: DriverContext<Options>,
  { request, call, plan, binary, can, systemPrompts }: Prepared,
): Promise<Run> {
  const { workspace, signal } = call;
  const { extra_args: extraArgs } = context.options;
  const canSeparate = plan.hasTools ? can.appendSystemPromptFile : can.systemPromptFile;
  // The program refuses to start with two of them: what the user says stays, and ours stand in the prompt.
  const isTaken = extraArgs.some((argument) => matchesFlag(argument, SYSTEM_PROMPT[plan.hasTools ? 'added' : 'own']));
  const separateSystem = canSeparate && !isTaken;
  const { system, prompt } = toPrompt(request, context, { workspace, separateSystem });
  const file = system === undefined ? undefined : systemPrompts.take(await context.scratch(), system);
  const release = (): void => file?.release();
  const args = toCommandLine({
    ...{ can, model: plan.model, effort: plan.effort, hasTools: plan.hasTools },
    permissionMode: context.options.permission_mode,
    directories: workspace?.skills.map((skill) => skill.directory) ?? [],
    systemPromptFile: file?.path,
    extraArgs,
  });
  const cwd = workspace?.workingDirectory ?? workspace?.directory;
  try {
    const program = await context.spawn(binary, args, {
      ...childEnvironment({ key: plan.key, maxTokens: request.maxTokens, isPlainText: !workspace }),
      ...(cwd !== undefined && { cwd }),
      // A tool that runs ends with it, and no other is started; SIGTERM would let the agent go on for a second.
      firstSignal: plan.hasTools ? 'SIGINT' : 'SIGTERM',
      input: prompt,
      signal,
    });
    return { program, name: basename(binary), plan, release };
  } catch (error) {
    release();
    throw error;
  }
}

interface Prepared {
  request: ChatRequest;
  call: Call;
  plan: RunPlan;
  binary: string;
  can: Capabilities;
  systemPrompts: SystemPromptFiles;
}
