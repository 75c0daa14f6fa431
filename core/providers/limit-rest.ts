import type { Limits } from '../limits/limits';
import type { Rest } from './rests';

/** A provider over its own limits rests until it may be asked again. Nothing of that is kept: the counters know. */
function limitRest(limits: Limits): Rest | undefined {
  const now = Date.now();
  const reached = limits.full(now);
  if (!reached) return undefined;
  const { code: kind, message, until } = reached;
  return { kind, message, since: now, until, isNamed: true, failures: 0 };
}

export function longerRest(rest: Rest | undefined, limits: Limits | undefined): Rest | undefined {
  const own = limits && limitRest(limits);
  return own && (!rest || own.until > rest.until) ? own : rest;
}

export function withLimitRest(rests: Rest[], limits: Limits | undefined): Rest[] {
  const own = limits && limitRest(limits);
  return own ? [...rests, own] : rests;
}
