import { LimitReached } from '../limits/limit-reached';
import type { Hold } from '../limits/hold';
import type { Estimate, Limits } from '../limits/limits';
import { clientOf, type Guess } from '../record/ledger';
import type { Caller, Used } from './caller';
import { toFailedCall } from './refusal';

/** What a call holds of the limits of its provider and of its client, until it is over. */
export class Admission {
  /** `account`: where there is a hold of the client. A route counts its request once, whichever target is asked. */
  constructor(
    private readonly own: Hold | undefined,
    private readonly clients: Hold | undefined,
    private readonly account: Caller['account'],
  ) {
    if (clients) account!.isCounted = true;
  }

  /** `guess` counts in place of a usage that is not known. */
  settle({ usage, costUsd }: Used, guess?: Guess): void {
    const tokens = guess ? guess.tokens : usage ? usage.inputTokens + usage.outputTokens : 0;
    const usd = guess ? guess.costUsd : costUsd;
    const now = Date.now();
    this.own?.settle(tokens, usd, now);
    this.clients?.settle(tokens, usd, now);
  }

  cancel(): void {
    this.own?.cancel();
    this.clients?.cancel();
    if (this.clients?.isCounted) this.account!.isCounted = false;
  }
}

/**
 * Asks the limits that a call is under. Undefined where there are none: then nothing is made and nothing is waited for.
 * Throws a DriverError at a limit of the provider, so that a route goes on, and a LimitReached at one of the client.
 */
export function admit(
  limits: Limits | undefined,
  caller: Caller,
  asked: { estimate(): Estimate },
): Admission | Promise<Admission> | undefined {
  const { account } = caller;
  if (!limits && !account) return undefined;
  const restoring = limits?.restoring ?? account?.limits.restoring;
  if (restoring) return restoring.then(() => admit(limits, caller, asked)!);
  const hasBudget = (limits?.hasBudget ?? false) || (account?.limits.hasBudget ?? false);
  const estimate = hasBudget ? asked.estimate() : undefined;
  if (limits?.asksOthers || account?.limits.asksOthers) return enterWithOthers(limits, caller, estimate);
  const clients = account && enter(account.limits, caller, estimate, account.isCounted);
  try {
    return new Admission(limits && enter(limits, caller, estimate), clients, account);
  } catch (error) {
    clients?.cancel();
    throw error;
  }
}

function enter(limits: Limits, caller: Caller, estimate: Estimate | undefined, isAgain = false): Hold {
  const now = Date.now();
  try {
    return limits.enter(estimate, isAgain, now);
  } catch (error) {
    throw asFailure(error, limits);
  } finally {
    tellQuotas(limits, caller, now);
  }
}

/** Both are asked at the same time, so that a slow answer is waited for once. */
async function enterWithOthers(
  limits: Limits | undefined,
  caller: Caller,
  estimate: Estimate | undefined,
): Promise<Admission> {
  const { account } = caller;
  const [clients, own] = await Promise.allSettled([
    account?.limits.enterWithOthers(estimate, account.isCounted),
    limits?.enterWithOthers(estimate),
  ]);
  try {
    const theirs = account && entered(clients, account.limits, caller);
    return new Admission(limits && entered(own, limits, caller), theirs, account);
  } catch (error) {
    for (const settled of [clients, own]) if (settled.status === 'fulfilled') settled.value?.cancel();
    throw error;
  }
}

function entered(settled: PromiseSettledResult<Hold | undefined>, limits: Limits, caller: Caller): Hold | undefined {
  tellQuotas(limits, caller, Date.now());
  if (settled.status === 'rejected') throw asFailure(settled.reason, limits);
  return settled.value;
}

/** A limit of a provider is a failure of the provider. */
function asFailure(error: unknown, { owner }: Limits): unknown {
  return owner.type === 'provider' && error instanceof LimitReached ? toFailedCall(error) : error;
}

/** The caller learns what is left, but no client what others use. */
function tellQuotas(limits: Limits, caller: Caller, now: number): void {
  const isTold = limits.owner.type !== 'provider' || (!isClient(caller) && caller.route === undefined);
  if (isTold) caller.onQuotas?.(limits.quotas(now));
}

function isClient({ asker }: Caller): boolean {
  return clientOf(asker) !== undefined;
}
