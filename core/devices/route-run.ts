import { CallEnd } from '../contract/call-end';
import { DriverError, isDriverError } from '../contract/driver-error';
import { nextTarget } from '../contract/failure-policy';
import type { Rest } from '../providers/rests';
import { QueueFullError } from '../limits/slots';
import { saysThatItActed } from './answer-begins';
import { askInTurn } from './ask-in-turn';
import type { Attempt, DeviceCall, LlmDevice } from './device';
import { RouteFailure } from './route-failure';
import type { Candidate, Choice, RoutedCall } from './routed-call';

/** A route whose targets all rest for longer, as far as their backends say, does not ask them. */
const SHORT_REST_MS = 60_000;

/** One request through a route. */
export class RouteRun<Result> {
  private readonly attempts: Attempt[] = [];
  private last: Candidate | undefined;
  private isAgentAsked = false;
  private sideEffects = false;
  /** On the clock of the route, if it has one: when it ends, in ms since the epoch. */
  private deadline = Infinity;

  constructor(
    private readonly route: Choice,
    private readonly caller: DeviceCall,
    private readonly model: string | undefined,
    private readonly call: RoutedCall<Result>,
  ) {}

  async run(): Promise<Result> {
    const { route, caller } = this;
    caller.route ??= route.name;
    if (route.timeoutSec > 0) this.startClock(route.timeoutSec * 1000);
    try {
      return await askInTurn(this.candidates(), (candidate) => this.ask(candidate), {
        leadsOn: (error) => this.leadsOn(error),
        makeWay: ({ device }) => this.makeWay(device),
      });
    } catch (error) {
      throw isDriverError(error) ? this.explain(error) : error;
    }
  }

  /** Those that do not rest, then the others in the order of their ends. */
  private *candidates(): Generator<Candidate, void> {
    const { route, model, caller } = this;
    const known: Candidate[] = [];
    const resting: { candidate: Candidate; rest: Rest }[] = [];
    for (const candidate of caller.previous ? inOrder(route, model, caller.previous) : route.candidates(model)) {
      if (known.some((other) => other.device === candidate.device && other.model === candidate.model)) continue;
      known.push(candidate);
      if (this.isSkipped(candidate)) continue;
      const rest = candidate.device.restOf(candidate.model);
      if (rest) resting.push({ candidate, rest });
      else yield candidate;
    }
    if (resting.length === 0) return;
    resting.sort((a, b) => a.rest.until - b.rest.until);
    this.refuseLongRests(known, resting);
    for (const { candidate } of resting) yield candidate;
  }

  /** A target that cannot serve the request is passed over, if another one can. */
  private isSkipped(candidate: Candidate): boolean {
    const lack = this.call.lackOf(candidate);
    if (!lack) return false;
    const others = [...this.route.all(this.model)];
    if (others.every((other) => this.call.lackOf(other))) return false;
    this.passOver(candidate, lack.kind, lack.message);
    return true;
  }

  private passOver({ device }: Candidate, kind: string, message: string): void {
    this.attempts.push({ provider: device.name, kind, message });
    this.caller.exchange?.skip(device.name, kind, message);
  }

  private refuseLongRests(known: readonly Candidate[], resting: readonly { candidate: Candidate; rest: Rest }[]): void {
    const soon = Date.now() + SHORT_REST_MS;
    const restsLong = ({ device, model }: Candidate) => {
      const rest = device.restOf(model);
      return rest !== undefined && rest.isNamed && rest.until > soon;
    };
    const able = known.filter((candidate) => !this.call.lackOf(candidate));
    // Where no target can do what the request needs, none is passed over.
    if (!(able.length > 0 ? able : known).every(restsLong)) return;
    const { rest } = resting.at(-1)!;
    for (const { candidate, rest: each } of resting) {
      const message = `rests until ${new Date(each.until).toISOString()}: ${each.message}`;
      this.passOver(candidate, each.kind, message);
      this.last = candidate;
    }
    throw new DriverError('rate_limited', this.attempts.at(-1)!.message, { kind: rest.kind });
  }

  private async ask(candidate: Candidate): Promise<Result> {
    const { caller, attempts } = this;
    this.last = candidate;
    if (candidate.device.driverKind === 'cli') this.isAgentAsked = true;
    caller.onTarget?.(candidate.device, candidate.model, attempts);
    try {
      return await this.call.ask(candidate);
    } catch (error) {
      const isFull = error instanceof QueueFullError;
      if (isFull || isDriverError(error)) {
        this.sideEffects ||= !isFull && error.sideEffects;
        const kind = isFull ? error.code : error.kind;
        attempts.push({ provider: candidate.device.name, kind, message: error.message });
      }
      throw error;
    }
  }

  private leadsOn(error: unknown): error is Error {
    if (error instanceof QueueFullError) return true;
    if (!isDriverError(error) || this.call.hasBegun || saysThatItActed(error)) return false;
    return nextTarget(error).route && Date.now() < this.deadline;
  }

  private async makeWay(device: LlmDevice): Promise<void> {
    const { caller, route } = this;
    const failed = caller.abort;
    caller.abort = new CallEnd();
    // Two agents must not work in one folder at the same time.
    if (caller.workspace) await device.ended(failed.signal);
    // A call that was ended meanwhile asks no further target, and records none.
    caller.abort.throwIfAborted();
    if (route.timeoutSec === 0) caller.arrivedAt = Date.now();
    else if (caller.isPatient) caller.limit!.ms = Math.max(1, this.deadline - Date.now());
  }

  /** A caller that is patient has the whole time from its first slot on. */
  private startClock(ms: number): void {
    const { caller, route } = this;
    caller.limit = { ms, hint: `to wait longer, raise timeout_sec of route "${route.name}" in providers.yaml` };
    if (!caller.isPatient) {
      this.deadline = caller.arrivedAt + ms;
      return;
    }
    const begin = caller.onStart?.bind(caller);
    caller.onStart = () => {
      if (this.deadline === Infinity) this.deadline = Date.now() + ms;
      begin?.();
    };
  }

  private explain(error: DriverError): RouteFailure {
    const { route, model, attempts, isAgentAsked, sideEffects } = this;
    const rest = nextTarget(error).route ? soonest(route, model) : undefined;
    const retryAfterS = rest ? Math.max(1, Math.ceil((rest - Date.now()) / 1000)) : error.retryAfterS;
    const { device, model: asked = device.defaultModel } = this.last!;
    return new RouteFailure(error, {
      route: route.name,
      attempts,
      device,
      model: asked,
      isAgentAsked,
      sideEffects,
      retryAfterS,
    });
  }
}

/** The provider of the conversation so far comes first, because it has the beginning in its cache. */
function* inOrder(route: Choice, model: string | undefined, previous: LlmDevice): Generator<Candidate, void> {
  for (const candidate of route.all(model)) if (candidate.device === previous) yield candidate;
  yield* route.candidates(model);
}

function soonest(route: Choice, model: string | undefined): number | undefined {
  const ends = [...route.all(model)].map((target) => target.device.restOf(target.model)?.until ?? Infinity);
  const end = Math.min(...ends);
  return end === Infinity ? undefined : end;
}
