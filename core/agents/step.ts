import { AnswerFold } from '../contract/answer-fold';
import type {
  ChatEvent,
  ChatRequest,
  FinishReason,
  Message,
  Part,
  ToolCallPart,
  Usage,
  Workspace,
} from '../contract/api';
import { CallEnd } from '../contract/call-end';
import { isDriverError } from '../contract/driver-error';
import { currentSpan, type WorkSpan } from '../contract/work-span';
import { beginsAnswer, saysThatItActed } from '../devices/answer-begins';
import type { DeviceCall, LlmDevice } from '../devices/device';
import { defined } from '../fields';
import { onAbort } from '../providers/call-clock';
import type { Used } from '../providers/caller';
import { isRefusal, toFailedCall } from '../providers/refusal';
import type { RecordedSession, StepFinish } from '../record/process-event';
import { pickUsage } from '../record/usage';
import { StepFailed } from './failures';
import { recordFallback, type ProcessRun } from './process-run';
import type { ProgramServers } from './program-servers';
import { recordAnswer, recordLog, recordTrace } from './record-step';

interface StepRequest {
  device: LlmDevice;
  request: ChatRequest;
  workspace: Workspace;
  /** The tool servers for the program of an agent. `step` returns the number of the current step. */
  program: (step: () => number) => Pick<ProgramServers, 'workspace' | 'close'>;
  signal: AbortSignal;
  /** Where the conversation of an earlier process is kept, which this one goes on with. */
  session?: RecordedSession;
  /** Who answered the step before. */
  previous?: LlmDevice;
  call?: string;
}

export interface StepAnswer {
  step: number;
  /** Who answered: of a route, one of its targets. */
  device: LlmDevice;
  text: string;
  finish: FinishReason;
  message: Message;
  calls: ToolCallPart[];
  usage: Usage | undefined;
  /** Undefined when neither the request nor the driver names one. */
  model: string | undefined;
}

/** One driver call; through a route, one for each target that is asked. */
export class Step {
  private number: number;
  private answer = new AnswerFold();
  /** Of a route: the target that is asked. */
  private device: LlmDevice;
  private model: string | undefined;
  private startedAt: number | undefined;
  private used: Used | undefined;
  private hasBegun = false;
  private readonly span: WorkSpan | undefined;
  private readonly program: ReturnType<StepRequest['program']>;

  constructor(
    private readonly process: ProcessRun,
    private readonly asked: StepRequest,
  ) {
    this.number = process.nextStep();
    this.program = asked.program(() => this.number);
    this.device = asked.device;
    this.model = asked.request.model ?? asked.device.defaultModel;
    // A step that serves a tool call is a part of that call.
    const facts = { 'drivebay.step': this.number };
    this.span = (currentSpan() ?? process.span)?.child(`step ${this.number}`, 'internal', facts);
  }

  /** Rejects with a ProcessFailed. */
  async run(): Promise<StepAnswer> {
    const { process, asked } = this;
    const caller = this.caller();
    const { signal } = asked;
    const forget = onAbort(signal, () => caller.abort.abort(signal.reason as Error));
    try {
      const result = await asked.device.chat(asked.request, caller, this.emit);
      this.used = result;
      const { text, finish = 'stop' } = this.answer;
      this.end(finish);
      this.span?.end({ 'drivebay.finish': finish });
      const calls = this.answer.toolCalls(() => process.nextCall());
      const message = toMessage(this.answer, calls);
      const { device, number: step, model = result.model } = this;
      return { step, device, text, finish, message, calls, usage: result.usage, model };
    } catch (error) {
      const failure = isRefusal(error) ? toFailedCall(error) : error;
      this.end('failed');
      this.span?.end({}, isDriverError(failure) ? failure.kind : 'failed');
      if (!isDriverError(failure)) throw failure;
      throw new StepFailed(this.device, failure, this.hasBegun || saysThatItActed(failure));
    } finally {
      forget();
      void process.watchPrograms(asked.device, caller.abort.signal);
      await this.program.close();
    }
  }

  private caller(): DeviceCall {
    const { process, asked } = this;
    return {
      id: `process ${process.pid} step ${this.number}`,
      asker: { type: 'process', pid: process.pid },
      abort: new CallEnd(),
      arrivedAt: Date.now(),
      isPatient: true,
      workspace: { ...asked.workspace, ...this.program.workspace },
      session: asked.session,
      previous: asked.previous,
      depth: process.depth,
      onTarget: (target, model, before) => this.turnTo(target, model, before.at(-1)?.message),
      onStart: () => {
        this.startedAt = Date.now();
        process.begin();
        const { number: step, model } = this;
        process.add({ type: 'step', step, provider: this.device.name, model, call: asked.call });
      },
      onFailure: (result) => (this.used = result),
      ...(this.span && { span: this.span }),
      trace: (event, fields) => recordTrace(process, this.number, event, fields),
      log: recordLog(process, () => this.number),
    };
  }

  /** A route asks this target. A target that was asked before it has failed: that was a step of its own. */
  private turnTo(target: LlmDevice, model: string | undefined, reason = 'it failed'): void {
    const { process, device: before, asked } = this;
    this.device = target;
    this.model = model ?? target.defaultModel;
    if (before === asked.device) return;
    const hadBegun = this.startedAt !== undefined;
    this.end('failed', before);
    if (asked.call === undefined) recordFallback(process, before, target, reason);
    this.answer = new AnswerFold();
    this.used = undefined;
    this.startedAt = undefined;
    if (hadBegun) this.number = process.nextStep();
  }

  private readonly emit = (event: ChatEvent): undefined => {
    const { process, device, asked } = this;
    this.answer.add(event);
    this.hasBegun ||= beginsAnswer(event, device);
    if (asked.call === undefined) {
      process.introduce(device);
      recordAnswer(process, this.number, device, event);
    }
    return undefined;
  };

  private end(finish: StepFinish, { name: provider } = this.device): void {
    const { startedAt, used, number: step, asked } = this;
    if (startedAt === undefined) return;
    const usage = used?.usage && pickUsage(used.usage);
    const costUsd = used?.costUsd || undefined;
    const nominalUsd = used?.nominalUsd || undefined;
    const ms = Date.now() - startedAt;
    const { firstMs, warm, session } = used ?? {};
    const route = asked.device.route && asked.device.name;
    const told = { provider, route, ms, firstMs, finish, usage, costUsd, nominalUsd, warm };
    this.process.add({ type: 'step_end', step, ...told, session: asked.call === undefined ? session : undefined });
  }
}

/** The message of an answer for the history, with its signatures: the backend wants to see them again. */
function toMessage({ text, reasoning, signatures, delta }: AnswerFold, calls: ToolCallPart[]): Message {
  const parts: Part[] = [];
  if (reasoning !== '' || signatures) parts.push(defined({ type: 'reasoning', text: reasoning, extra: signatures }));
  if (text !== '') parts.push({ type: 'text', text });
  return defined({ role: 'assistant', parts: [...parts, ...calls], extra: delta });
}
