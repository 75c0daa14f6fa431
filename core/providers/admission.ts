import { DriverError } from '../contract/driver-error';
import { LimitReached } from '../limits/limit-reached';
import type { Hold } from '../limits/hold';
import type { Estimate, Limits } from '../limits/limits';
import { clientOf, type Guess } from '../record/ledger';
import type { Caller, Used } from './caller';

type Account = NonNullable<Caller['account']>;

interface Asked {
  estimate(): Estimate;
}

/** What a call holds of the limits of its provider and of its client, until it is over. */
export class Admission {
  constructor(
    private readonly own: Hold | undefined,
    private readonly clients: Hold | undefined,
  ) {}

  /** `guess` counts in place of a usage that is not known. */
  settle({ usage, costUsd: known }: Used, guess?: Guess): void {
    const { tokens, costUsd } = guess ?? { tokens: usage ? usage.inputTokens + usage.outputTokens : 0, costUsd: known };
    this.own?.settle(tokens, costUsd);
    this.clients?.settle(tokens, costUsd);
  }

  cancel(): void {
    this.own?.cancel();
    this.clients?.cancel();
  }
}

/**
 * Asks the limits that a call is under. Undefined where there are none: then nothing is made and nothing is waited for.
 * Throws a DriverError at a limit of the provider, so that a route goes on, and a LimitReached at one of the client.
 */
export function admit(
  limits: Limits | undefined,
  caller: Caller,
  asked: Asked,
): Admission | Promise<Admission> | undefined {
  const { account } = caller;
  if (!limits && !account) return undefined;
  const restoring = limits?.restoring ?? account?.limits.restoring;
  if (restoring) return restoring.then(() => admit(limits, caller, asked)!);
  const hasBudget = (limits?.hasBudget ?? false) || (account?.limits.hasBudget ?? false);
  const estimate = hasBudget ? asked.estimate() : undefined;
  if (limits?.asksOthers || account?.limits.asksOthers) return enterWithOthers(limits, caller, estimate);
  const clients = account && attempt(account.limits, caller, () => account.limits.enter(estimate, account.isCounted));
  const counted = clients && countOnce(account, clients);
  try {
    return new Admission(limits && attempt(limits, caller, () => limits.enter(estimate)), counted);
  } catch (error) {
    counted?.cancel();
    throw error;
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
  const counted = clients.status === 'fulfilled' && clients.value ? countOnce(account!, clients.value) : undefined;
  try {
    if (account) attempt(account.limits, caller, () => valueOf(clients));
    return new Admission(limits && attempt(limits, caller, () => valueOf(own)), counted);
  } catch (error) {
    counted?.cancel();
    if (own.status === 'fulfilled') own.value?.cancel();
    throw error;
  }
}

function valueOf<Value>(settled: PromiseSettledResult<Value>): Value {
  if (settled.status === 'rejected') throw settled.reason;
  return settled.value;
}

/** A limit of a provider is a failure of the provider. The caller learns what is left, but no client what others use. */
function attempt<Result>(limits: Limits, caller: Caller, enter: () => Result): Result {
  const isOwn = limits.owner.type === 'provider';
  try {
    return enter();
  } catch (error) {
    if (!isOwn || !(error instanceof LimitReached)) throw error;
    const { code, message, hint, retryAfterS } = error;
    throw new DriverError('rate_limited', message, { kind: code, hint, retryAfterS });
  } finally {
    if (!isOwn || (!isClient(caller) && caller.route === undefined)) caller.onQuotas?.(limits.quotas());
  }
}

/** A route counts its request once, whichever target is asked. */
function countOnce(account: Account, hold: Hold): Hold {
  const isAgain = account.isCounted;
  account.isCounted = true;
  return {
    settle: (tokens, usd) => hold.settle(tokens, usd),
    cancel: () => {
      hold.cancel();
      account.isCounted = isAgain;
    },
  };
}

function isClient({ asker }: Caller): boolean {
  return clientOf(asker) !== undefined;
}
