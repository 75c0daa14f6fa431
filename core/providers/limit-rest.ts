import type { Limits } from '../limits/limits';
import type { Rest } from './rests';

/** A provider over its own limits rests until it may be asked again. The counters know when; only the last reported rest is kept. */
export class LimitRest {
  private told: Rest | undefined;

  /** `tell`: called with the first look at a rest. */
  constructor(
    private readonly limits: Limits | undefined,
    private readonly tell: () => void,
  ) {}

  joinedTo(rests: Rest[]): Rest[] {
    const own = this.find();
    return own ? [...rests, own] : rests;
  }

  orLonger(rest: Rest | undefined): Rest | undefined {
    const own = this.find();
    return own && (!rest || own.until > rest.until) ? own : rest;
  }

  private find(): Rest | undefined {
    const now = Date.now();
    const reached = this.limits?.full(now);
    if (!reached) return undefined;
    const { told } = this;
    const { code: kind, message, until } = reached;
    const isTold = told?.kind === kind && now < told.until;
    this.told = { kind, message, since: isTold ? told.since : now, until, isNamed: true, failures: 0 };
    if (!isTold) this.tell();
    return this.told;
  }
}
