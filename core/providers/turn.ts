import { codeOf } from '../errors';
import type { ChatRequest } from '../contract/api';
import type { LedgerEntry } from '../record/ledger';
import { Answer, type Emit, type TurnResult } from './answer';
import { CallAborted, CallClock } from './call-clock';
import { prepareRequest } from './prepare-request';
import type { Provider } from './provider';
import type { ProviderSettings } from './settings';
import { QueueFullError } from './slots';
import { toFailure } from './to-failure';
import { type Caller, TurnCall } from './turn-call';
import { untilAborted } from './until-aborted';
import { wholeEmit } from './whole-emit';

/** How long a turn may keep its slot after its answer, when its driver does not come to an end. */
const STUCK_AFTER_MS = 30_000;

/**
 * One chat turn: the only way to a driver, for the gateway and for agents. It owns the queue, the clock, the check
 * for truncated and empty answers, health, the ledger and redaction. Resolves as soon as the answer is complete, while the driver
 * may still be winding down; rejects with a DriverError or a QueueFullError.
 */
export async function runTurn(
  provider: Provider,
  request: ChatRequest,
  caller: Caller,
  emit: Emit,
): Promise<TurnResult> {
  const { settings, slots } = provider;
  let running: Promise<void> | undefined;
  let answer: Answer | undefined;
  const hint = () => timeoutHint(settings, answer);
  const clock = new CallClock(timeoutMs(settings, request.stream), caller.abort, hint);
  if (!caller.isPatient) clock.start(caller.arrivedAt);
  try {
    const prepared = prepareRequest(request, settings);
    await slots?.acquire(clock.signal, caller.isPatient);
    try {
      if (caller.isPatient) clock.start(Date.now());
      caller.onStart?.();
      const driver = provider.readyDriver ?? (await untilAborted(provider.driver(), clock.signal));
      if (prepared.ignored.length > 0) await emit({ type: 'meta', ignored: prepared.ignored });
      const isGathered = request.stream && !prepared.request.stream;
      const passOn = isGathered ? wholeEmit(emit) : emit;
      const noteUnknown = (type: unknown) => provider.noteUnknownEvent(type);
      answer = new Answer(Math.max(1, request.choices ?? 1), passOn, settings, noteUnknown);
      running = answer.run(driver, prepared.request, new TurnCall(caller, clock, provider.log));
      const result = await answer.complete;
      provider.noteSuccess();
      provider.book?.(booked(provider, request, caller, result, true));
      return result;
    } finally {
      if (slots) releaseAfter(running, provider);
    }
  } catch (error) {
    if (error instanceof QueueFullError) throw error;
    // Nobody can tell what an agent that was stopped halfway, or crashed, has done.
    const mayHaveActed =
      running !== undefined && settings.kind === 'cli' && (clock.signal.aborted || hasStarted(error));
    const failure = toFailure(error, provider, clock.signal, mayHaveActed);
    provider.noteFailure(failure);
    // What was used until then is paid for all the same.
    if (answer) {
      const used = answer.result();
      provider.book?.(booked(provider, request, caller, used, false));
      caller.onFailure?.(used);
    }
    // A driver that failed may have left a program that it was not done with: nobody else would stop it.
    if (!clock.signal.aborted) caller.abort.abort(new CallAborted('killed', 'the turn has failed'));
    throw failure;
  } finally {
    clock.stop();
  }
}

function timeoutHint({ name, kind }: ProviderSettings, answer: Answer | undefined): string {
  const wait = `to wait longer, raise timeout_sec of provider "${name}" in providers.yaml`;
  if (kind !== 'cli' || !answer?.isSilent) return wait;
  return `it said nothing at all: it may wait for a login or a permission, run it once in a terminal; ${wait}`;
}

function booked(
  { settings }: Provider,
  request: ChatRequest,
  caller: Caller,
  { usage, costUsd, model = request.model ?? settings.defaultModel }: TurnResult,
  ok: boolean,
): LedgerEntry {
  return {
    time: Date.now(),
    provider: settings.name,
    driver: settings.driver,
    source: caller.pid ?? 'gateway',
    costUsd,
    ok,
    ...(model !== undefined && { model }),
    ...(usage && { usage }),
  };
}

function timeoutMs({ timeoutSec, kind }: ProviderSettings, stream: boolean): number {
  // Node's fetch gives a silent answer up after 300 s and asks again: a single-shot answer has to be there before.
  const seconds = timeoutSec || (kind === 'cli' ? 300 : stream ? 600 : 290);
  return Math.min(seconds * 1000, 2 ** 31 - 1);
}

/** The slot belongs to the driver's work, which may outlast the answer; a driver that never ends loses it in the end. */
function releaseAfter(running: Promise<void> | undefined, provider: Provider): void {
  if (!running) {
    provider.slots?.release();
    return;
  }
  let timer: NodeJS.Timeout | undefined;
  const stuck = new Promise<void>((resolve) => {
    timer = setTimeout(resolve, STUCK_AFTER_MS).unref();
  });
  void Promise.race([running, stuck]).then(() => {
    clearTimeout(timer);
    provider.slots?.release();
  });
}

/** Codes that say by themselves that no agent was at work. */
const NOT_STARTED: ReadonlySet<string> = new Set(['not_installed', 'auth', 'invalid_request']);

function hasStarted(error: unknown): boolean {
  return !NOT_STARTED.has(codeOf(error) ?? '');
}
