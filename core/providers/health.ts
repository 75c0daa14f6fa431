import type { CheckResult, ErrorKind } from '../contract/api';
import type { DriverError } from '../contract/driver-error';
import { bounded } from '../errors';
import type { HealthState, ProviderEvent } from '../record/live-event';
import { type AskedProvider, askDriver, readCheck } from './ask-driver';
import { CallAborted } from './call-clock';
import { failurePolicies } from '../contract/failure-policy';
import type { ProviderSettings } from './settings';
import { toFailure } from './to-failure';

const CHECK_LIMIT_MS = 3_000;
/** How old the bad news of an offline provider must be before `refresh` checks it again. */
const RECHECK_AFTER_MS = 15_000;

/** What to look at when a check gets no answer. */
const SLOW_CHECK = {
  http: 'check base_url and the network, and whether the server is overloaded',
  cli: 'run the program by hand to see what it waits for',
} as const;

/** What is known about a provider's backend, and since when. */
export interface Health {
  state: HealthState;
  /** Duration of the last successful check, in ms. */
  latencyMs?: number;
  /** Whether the check that found it offline ran into its time limit. */
  timedOut?: boolean;
  /** Why it is offline, and what the user can do about it. */
  reason?: string;
  kind?: ErrorKind;
  hint?: string;
  /** What the last check said besides, for example a version. */
  detail?: string;
  warnings?: string[];
  /** When the state was last confirmed, in ms since the epoch. */
  checkedAt?: number;
}

type WatchedProvider = AskedProvider &
  Pick<ProviderSettings, 'driverAlias' | 'driverKind' | 'codeDirectory'> & { readonly readyDriver: unknown };

/** Knows the health of one provider: from checks, and from how its calls end. */
export class HealthWatch {
  private known: Health = { state: 'unchecked' };
  private checking: Promise<Health> | undefined;

  constructor(
    private readonly provider: WatchedProvider,
    /** Told of each change, and of the outcome of each check. */
    private readonly report: ((event: ProviderEvent) => void) | undefined,
  ) {}

  get health(): Health {
    return this.known;
  }

  /** Asks the backend now; callers at the same time share one check. Never rejects. */
  check(): Promise<Health> {
    this.checking ??= this.runCheck().finally(() => {
      this.checking = undefined;
    });
    return this.checking;
  }

  /** The health as known, after a new check of a provider that has been offline for a while. */
  async refresh(): Promise<Health> {
    const { state, checkedAt = 0 } = this.known;
    if (state === 'offline' && Date.now() - checkedAt >= RECHECK_AFTER_MS) await this.check();
    return this.known;
  }

  noteSuccess(): void {
    const { state, latencyMs } = this.known;
    if (state !== 'healthy') this.note({ state: 'healthy', latencyMs, checkedAt: Date.now() });
  }

  noteFailure(failure: DriverError): void {
    if (failurePolicies[failure.code].offline) this.note(offline(failure));
  }

  private note(health: Health, checked?: true): void {
    const before = this.known;
    this.known = health;
    const { state, latencyMs, reason, hint } = health;
    if (!checked && before.state === state && before.reason === reason) return;
    const timedOut = health.timedOut || undefined;
    this.report?.({ type: 'health', state, latencyMs, checked, timedOut, reason, hint });
  }

  private async runCheck(): Promise<Health> {
    const { provider } = this;
    const started = performance.now();
    try {
      const hint = SLOW_CHECK[provider.driverKind];
      const found = await askDriver(provider, CHECK_LIMIT_MS, async (driver, call) => driver.check(call), hint).then(
        readCheck,
      );
      const latencyMs = Math.round(performance.now() - started);
      this.note({ state: 'healthy', latencyMs, ...this.redacted(found), checkedAt: Date.now() }, true);
    } catch (error) {
      const found = offline(toFailure(error, provider));
      if (error instanceof CallAborted && !provider.readyDriver) {
        found.reason = `driver "${provider.driverAlias}" was not set up within ${CHECK_LIMIT_MS / 1000} s`;
        found.hint = 'its plug-in is slow to load: see drivebay plugins list';
      }
      this.note(found, true);
    }
    return this.known;
  }

  /** A driver may have put words of its backend into the details. */
  private redacted({ detail, warnings }: CheckResult): CheckResult {
    const redact = (text: string) => bounded(this.provider.redactor.redact(text));
    return { detail: detail === undefined ? undefined : redact(detail), warnings: warnings?.map(redact) };
  }
}

function offline({ code, message, kind, hint }: DriverError): Health {
  return {
    state: 'offline',
    timedOut: code === 'timeout',
    reason: message,
    kind,
    hint: hint || undefined,
    checkedAt: Date.now(),
  };
}
