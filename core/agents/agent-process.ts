import { setMaxListeners } from 'node:events';
import type { Tracing, WorkSpan } from '../contract/work-span';
import { messageOf } from '../errors';
import type { Ledger } from '../record/ledger';
import type { ProcessEnd, ProcessEvent } from '../record/process-event';
import type { ProcessView } from '../record/process-view';
import type { Logger } from '../contract/api';
import { waitAtMost } from '../contract/wait-at-most';
import type { LlmDevice } from '../devices/device';
import { CallAborted } from '../providers/call-clock';
import type { ProcessRecord } from '../record/process-record';
import type { ProcessStore } from '../record/process-store';
import type { Plan } from './plan';
import { endOfAnswer, endOfError, KILL_MESSAGES, type KillReason, RAISE_LIMIT } from './process-end';
import { ProcessRun } from './process-run';
import { work } from './work';

/** How long the end of a process waits for the facts that its driver tells about itself. */
const INTRODUCTION_MS = 1_000;
/** How long it waits for a disk that does not answer. */
const BOOKS_MS = 1_000;

/** What an agent process needs of the daemon. */
export interface ProcessParts {
  store: ProcessStore;
  ledger: Pick<Ledger, 'flush' | 'loss'>;
  log: Logger;
  tracing?: Tracing;
}

/** One agent process, from its creation until nothing of it is left. */
export class AgentProcess {
  /** Settles after `exit`. Never rejects. */
  readonly ended: Promise<ProcessEnd>;
  /** Settles when no program of it is left, which may be a moment after a good end. Never rejects. */
  readonly gone: Promise<void>;
  /** The last answer of the model, after a good end. */
  answer: string | undefined;
  private readonly abort = new AbortController();

  constructor(
    plan: Plan,
    private readonly parts: ProcessParts & { record: ProcessRecord },
  ) {
    // A model may call many tools at once, and each call listens.
    setMaxListeners(0, this.abort.signal);
    const span = openProcessSpan(parts.tracing, parts.record.view);
    const run = new ProcessRun(parts.record, this.abort.signal, plan.skills, plan.depth, span);
    const devices = devicesOf(plan);
    for (const device of devices) device.users.enter();
    this.ended = this.complete(run, plan);
    this.gone = this.ended.then(() => run.programsEnded());
    void this.gone.then(() => devices.forEach((device) => device.users.leave()));
  }

  get view(): ProcessView {
    return this.parts.record.view;
  }

  /** Its events from a number on, and those to come. Ends after `exit`, or when the signal fires. */
  events(from?: number, signal?: AbortSignal): AsyncIterable<ProcessEvent> {
    return this.parts.store.follow(this.parts.record, from, signal);
  }

  /** Ends it and every program it started. May be called at any time, repeatedly. */
  kill(reason: KillReason): void {
    this.abort.abort(new CallAborted(reason, KILL_MESSAGES[reason]));
  }

  private async complete(run: ProcessRun, plan: Plan): Promise<ProcessEnd> {
    const { ledger, record } = this.parts;
    const earlier = ledger.loss;
    run.add({ type: 'resolve', ...plan.resolution });
    for (const warning of plan.warnings) run.warn(warning);
    const end = await this.outcome(run, plan);
    // Programs may wind down after a good end. After any other end the process lasts as long as they do.
    if (end.state !== 'done') await run.programsEnded();
    // The usage of an ended process must be on disk, also if the daemon is killed right then.
    await waitAtMost(BOOKS_MS, ledger.flush());
    if (ledger.loss !== earlier) record.noteLoss('the usage of this run may not be kept', ledger.loss);
    run.add({ type: 'exit', ...end });
    run.span?.end({ 'drivebay.process.state': end.state }, end.state === 'done' ? undefined : (end.code ?? end.reason));
    return end;
  }

  private async outcome(run: ProcessRun, plan: Plan): Promise<ProcessEnd> {
    try {
      const answer = await work(run, plan);
      await waitAtMost(INTRODUCTION_MS, run.introductions());
      const end = endOfAnswer(answer);
      if (end.state === 'done' && answer.finish === 'length') {
        run.warn({ message: 'the answer is cut short: it reached the token limit', hint: RAISE_LIMIT });
      }
      if (end.state === 'done') this.answer = answer.text;
      return end;
    } catch (error) {
      const end = endOfError(error, run.signal);
      if (end.code === 'internal_error') this.parts.log.error(`process ${run.pid} failed: ${messageOf(error)}`);
      return end;
    }
  }
}

/** Everything that it may call: a process finishes on the devices that it began with, whatever a reload takes away. */
function devicesOf({ primary, fallback, tools }: Plan): Set<Pick<LlmDevice, 'users'>> {
  const servers = tools.servers.map(({ server }) => server);
  return new Set([primary.device, ...(fallback ? [fallback.device] : []), ...tools.llms(), ...servers]);
}

/** The span of an agent process. Its steps and tool calls are parts of it. */
function openProcessSpan(tracing: Tracing | undefined, view: ProcessView): WorkSpan | undefined {
  const { name, pid, uuid } = view;
  return tracing?.begin(name === undefined ? 'invoke_agent' : `invoke_agent ${name}`, 'internal', {
    'gen_ai.operation.name': 'invoke_agent',
    'gen_ai.agent.name': name,
    'gen_ai.conversation.id': uuid,
    'drivebay.process.pid': pid,
  });
}
