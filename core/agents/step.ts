import type { StepUsage } from '../events/process-event';
import type { ChatEvent, ChatRequest, Message, ToolCallPart, Usage, Workspace } from '../plugins/api';
import { type DriverError, isDriverError } from '../plugins/driver-error';
import type { TurnResult } from '../providers/answer';
import type { Caller } from '../providers/turn-call';
import type { LlmDevice } from '../vfs/llm-device';
import { AnswerMessage } from './answer-message';
import type { Run } from './run';

export interface StepRequest {
  device: LlmDevice;
  request: ChatRequest;
  workspace: Workspace;
  /** The tool call that the step serves. */
  call?: string;
}

export interface StepAnswer {
  step: number;
  text: string;
  finish: AnswerMessage['finish'];
  message: Message;
  calls: ToolCallPart[];
  usage: Usage | undefined;
  /** As far as anybody knows. */
  model: string | undefined;
}

/** A driver call that failed. */
export class StepFailed extends Error {
  constructor(
    readonly device: LlmDevice,
    readonly failure: DriverError,
    /** Whether something of the answer was seen, or an agent has acted: nobody else may be asked the same then. */
    readonly hasBegun: boolean,
  ) {
    super(failure.message, { cause: failure });
    this.name = 'StepFailed';
  }
}

/** One driver call. Rejects with a StepFailed, or a ProcessStopped. */
export async function runStep(run: Run, { device, request, workspace, call }: StepRequest): Promise<StepAnswer> {
  const step = run.nextStep();
  const answer = new AnswerMessage();
  const model = request.model ?? device.defaultModel;
  let startedAt: number | undefined;
  let used: TurnResult | undefined;
  let hasBegun = false;

  const emit = (event: ChatEvent): undefined => {
    answer.add(event);
    hasBegun ||= isBeginning(event, device);
    if (call === undefined) {
      run.introduce(device);
      record(run, step, device, event);
    }
    return undefined;
  };

  const end = (finish: string) => {
    if (startedAt === undefined) return;
    run.add({
      type: 'step_end',
      step,
      ms: Date.now() - startedAt,
      finish,
      ...(used?.usage && { usage: pickUsage(used.usage) }),
      ...(used && used.costUsd > 0 && { costUsd: used.costUsd }),
    });
  };

  const abort = new AbortController();
  const stop = () => abort.abort(run.signal.reason);
  if (run.signal.aborted) stop();
  run.signal.addEventListener('abort', stop);
  const caller: Caller = {
    id: `process ${run.pid} step ${step}`,
    pid: run.pid,
    abort,
    arrivedAt: Date.now(),
    isPatient: true,
    workspace,
    onStart: () => {
      startedAt = Date.now();
      run.begin();
      run.add({
        type: 'step',
        step,
        provider: device.name,
        ...(model !== undefined && { model }),
        ...(call !== undefined && { call }),
      });
    },
    onFailure: (result) => (used = result),
    trace: (event, fields) => trace(run, step, event, fields),
  };
  try {
    const result = await device.chat(request, caller, emit);
    used = result;
    end(answer.finish);
    const calls = answer.toolCalls(() => run.nextCall());
    const message = answer.toMessage(calls);
    return {
      step,
      text: answer.text,
      finish: answer.finish,
      message,
      calls,
      usage: result.usage,
      model: model ?? result.model,
    };
  } catch (error) {
    end('failed');
    if (!isDriverError(error)) throw error;
    throw new StepFailed(device, error, hasBegun || saysThatItActed(error));
  } finally {
    run.signal.removeEventListener('abort', stop);
    void run.watchPrograms(device, abort.signal);
  }
}

/** product.md 7: the words and deeds of an agent count; what it thinks before does not. */
function isBeginning({ type }: ChatEvent, { driverKind }: LlmDevice): boolean {
  if (type === 'text' || type === 'tool_call' || type === 'activity') return true;
  return type === 'reasoning' && driverKind === 'http';
}

/** The driver's own word: the turn takes any agent that ran for one that may have acted. */
function saysThatItActed({ cause }: DriverError): boolean {
  return isDriverError(cause) && cause.sideEffects;
}

function record(run: Run, step: number, { name }: LlmDevice, event: ChatEvent): void {
  switch (event.type) {
    case 'text':
    case 'reasoning':
      if (event.text !== '') run.add({ type: event.type, step, text: event.text });
      break;
    case 'activity':
      run.add({
        type: 'activity',
        step,
        tool: event.tool,
        ...(event.detail !== undefined && { detail: event.detail }),
      });
      break;
    case 'meta':
      for (const field of event.ignored ?? []) run.warn({ message: `provider "${name}" ignores ${field}` });
      break;
    default:
  }
}

function trace(run: Run, step: number, event: string, fields: Record<string, unknown>): void {
  if (event.endsWith('.retry')) {
    run.add({ type: 'retry', step, reason: typeof fields.reason === 'string' ? fields.reason : event });
  } else run.add({ type: 'driver', step, event, fields });
}

/** Without what drivers add to it. */
function pickUsage(usage: Usage): StepUsage {
  const { inputTokens, outputTokens, cachedInputTokens, cacheWriteInputTokens, reasoningTokens } = usage;
  return {
    inputTokens,
    outputTokens,
    ...(cachedInputTokens !== undefined && { cachedInputTokens }),
    ...(cacheWriteInputTokens !== undefined && { cacheWriteInputTokens }),
    ...(reasoningTokens !== undefined && { reasoningTokens }),
  };
}
