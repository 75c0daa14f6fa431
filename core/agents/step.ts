import { pickUsage } from '../record/usage';
import type { ChatEvent, ChatRequest, Message, ToolCallPart, Usage, Workspace } from '../contract/api';
import { type DriverError, isDriverError } from '../contract/driver-error';
import type { Caller, Used } from '../providers/caller';
import type { LlmDevice } from '../devices/device';
import { AnswerMessage } from './answer-message';
import { recordAnswer, recordLog, recordTrace } from './record-answer';
import type { Run } from './run';
import { StepFailed } from './step-failed';

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

/** One driver call. Rejects with a StepFailed, or a ProcessStopped. */
export async function runStep(run: Run, { device, request, workspace, call }: StepRequest): Promise<StepAnswer> {
  const step = run.nextStep();
  const answer = new AnswerMessage();
  const model = request.model ?? device.defaultModel;
  let startedAt: number | undefined;
  let used: Used | undefined;
  let hasBegun = false;

  const emit = (event: ChatEvent): undefined => {
    answer.add(event);
    hasBegun ||= isBeginning(event, device);
    if (call === undefined) {
      run.introduce(device);
      recordAnswer(run, step, device, event);
    }
    return undefined;
  };

  const end = (finish: string) => {
    if (startedAt === undefined) return;
    run.add({
      type: 'step_end',
      step,
      provider: device.name,
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
    asker: { type: 'process', pid: run.pid },
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
    trace: (event, fields) => recordTrace(run, step, event, fields),
    log: recordLog(run, step),
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

/** The words and deeds of an agent count; what it thinks before does not. */
function isBeginning({ type }: ChatEvent, { driverKind }: LlmDevice): boolean {
  if (type === 'text' || type === 'tool_call' || type === 'activity') return true;
  return type === 'reasoning' && driverKind === 'http';
}

/** The driver's own word: the turn takes any agent that ran for one that may have acted. */
function saysThatItActed({ cause }: DriverError): boolean {
  return isDriverError(cause) && cause.sideEffects;
}
