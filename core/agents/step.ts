import { AnswerFold } from '../contract/answer-fold';
import type {
  ChatEvent,
  ChatRequest,
  FinishReason,
  Logger,
  Message,
  ToolCallPart,
  Usage,
  Workspace,
} from '../contract/api';
import { type DriverError, isDriverError } from '../contract/driver-error';
import type { LlmDevice } from '../devices/device';
import type { Caller, Used } from '../providers/caller';
import type { StepFinish } from '../record/process-event';
import { pickUsage } from '../record/usage';
import { toMessage } from './answer-message';
import { StepFailed } from './failures';
import type { ProcessRun } from './process-run';

export interface StepRequest {
  device: LlmDevice;
  request: ChatRequest;
  workspace: Workspace;
  call?: string;
}

export interface StepAnswer {
  step: number;
  text: string;
  finish: FinishReason;
  message: Message;
  calls: ToolCallPart[];
  usage: Usage | undefined;
  /** Undefined when neither the request nor the driver names one. */
  model: string | undefined;
}

/** Runs one driver call. Rejects with a ProcessFailed. */
export async function runStep(run: ProcessRun, { device, request, workspace, call }: StepRequest): Promise<StepAnswer> {
  const step = run.nextStep();
  const answer = new AnswerFold();
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

  const end = (finish: StepFinish) => {
    if (startedAt === undefined) return;
    const usage = used?.usage && pickUsage(used.usage);
    const costUsd = used?.costUsd || undefined;
    const ms = Date.now() - startedAt;
    const { firstMs, warm } = used ?? {};
    run.add({ type: 'step_end', step, provider: device.name, ms, firstMs, finish, usage, costUsd, warm });
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
      run.add({ type: 'step', step, provider: device.name, model, call });
    },
    onFailure: (result) => (used = result),
    trace: (event, fields) => recordTrace(run, step, event, fields),
    log: recordLog(run, step),
  };
  try {
    const result = await device.chat(request, caller, emit);
    used = result;
    const { text, finish = 'stop' } = answer;
    end(finish);
    const calls = answer.toolCalls(() => run.nextCall());
    const message = toMessage(answer, calls);
    return { step, text, finish, message, calls, usage: result.usage, model: model ?? result.model };
  } catch (error) {
    end('failed');
    if (!isDriverError(error)) throw error;
    throw new StepFailed(device, error, hasBegun || saysThatItActed(error));
  } finally {
    run.signal.removeEventListener('abort', stop);
    void run.watchPrograms(device, abort.signal);
  }
}

/** The words and deeds of an agent begin its answer. Its thoughts before them do not. */
function isBeginning({ type }: ChatEvent, { driverKind }: LlmDevice): boolean {
  if (type === 'text' || type === 'tool_call' || type === 'activity') return true;
  return type === 'reasoning' && driverKind === 'http';
}

/** Only the driver's own report counts: the turn assumes of any agent that ran that it may have acted. */
function saysThatItActed({ cause }: DriverError): boolean {
  return isDriverError(cause) && cause.sideEffects;
}

function recordAnswer(run: ProcessRun, step: number, { name }: LlmDevice, event: ChatEvent): void {
  switch (event.type) {
    case 'text':
    case 'reasoning':
      if (event.text !== '') run.add({ type: event.type, step, text: event.text });
      break;
    case 'activity':
      run.add({ type: 'activity', step, tool: event.tool, detail: event.detail });
      break;
    case 'meta':
      for (const field of event.ignored ?? []) run.warn({ message: `provider "${name}" ignores ${field}` });
      break;
    default:
  }
}

function recordTrace(run: ProcessRun, step: number, event: string, fields: Record<string, unknown>): void {
  if (event.endsWith('.retry')) {
    run.add({ type: 'retry', step, reason: typeof fields.reason === 'string' ? fields.reason : event });
  } else run.add({ type: 'driver', step, event, fields });
}

/** Records the lines that a driver logs, except `debug`: those are for its author, many, and may contain prompts. */
function recordLog(run: ProcessRun, step: number): Logger {
  const at = (level: 'info' | 'warn' | 'error') => (message: string, fields?: Record<string, unknown>) =>
    run.add({ type: 'log', step, level, message, fields });
  return { debug: () => undefined, info: at('info'), warn: at('warn'), error: at('error') };
}
