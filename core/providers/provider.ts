import type { Call, CheckResult, Driver, Logger } from '../contract/api';
import { DriverError, isDriverError } from '../contract/driver-error';
import type { Redactor } from '../contract/redact';
import type { LedgerEntry } from '../record/ledger';
import { messageOf } from '../errors';
import type { ProviderEvent } from '../record/live-event';
import { LOAD_LIMIT_MS, withLimit } from '../plugins/with-limit';
import { CallClock } from './call-clock';
import { failurePolicies } from './failure-policy';
import type { Health } from './health';
import type { ProviderSettings } from './settings';
import { Slots } from './slots';
import { explainBug, toFailure } from './to-failure';
import { untilAborted } from './until-aborted';

const CHECK_LIMIT_MS = 3_000;
const CLOSE_LIMIT_MS = 5_000;
/** A driver may have to look at its program first. */
const METADATA_LIMIT_MS = 10_000;
/** An offline provider is looked at again when somebody asks, but not more often than this. */
const RECHECK_AFTER_MS = 15_000;

/** A driver that makes its types up must not fill the log. */
const MOST_UNKNOWN_EVENTS = 10;

/** What to look at when a check gets no answer. */
const SLOW_CHECK = {
  http: 'check base_url and the network, and whether the server is overloaded',
  cli: 'run the program by hand to see what it waits for',
} as const;

/** What a provider is made from. */
export interface ProviderParts {
  makeDriver: () => Promise<Driver>;
  http: { close(): Promise<void> };
  programs: { close(): Promise<void>; ended(signal: AbortSignal): Promise<void> };
  redactor: Redactor;
  log: Logger;
  /** Takes what each turn used; absent where nobody keeps books. */
  book?: ((entry: LedgerEntry) => void) | undefined;
  /** Told when the health changes; absent where nobody watches. */
  report?: ((event: ProviderEvent) => void) | undefined;
}

/** One entry of the configuration: settings, a driver that is made when first needed, health, and a queue. */
export class Provider {
  private known: Health = { state: 'unchecked' };
  readonly slots: Slots | undefined;
  private made: Promise<Driver> | undefined;
  private ready: Driver | undefined;
  private checking: Promise<Health> | undefined;
  private readonly unknownEvents = new Set<string>();

  readonly redactor: Redactor;
  readonly log: Logger;
  readonly book: ((entry: LedgerEntry) => void) | undefined;

  constructor(
    readonly settings: ProviderSettings,
    private readonly parts: ProviderParts,
  ) {
    this.redactor = parts.redactor;
    this.log = parts.log;
    this.book = parts.book;
    this.slots = settings.maxConcurrency === undefined ? undefined : new Slots(settings.maxConcurrency);
  }

  get health(): Health {
    return this.known;
  }

  /** Changes are told, and all that a check has found. */
  private note(health: Health, { checked = false } = {}): void {
    const { state, reason } = this.known;
    this.known = health;
    if (checked || state !== health.state || reason !== health.reason)
      this.parts.report?.(healthEvent(health, checked));
  }

  get name(): string {
    return this.settings.name;
  }

  /** The driver, once it is made. */
  get readyDriver(): Driver | undefined {
    return this.ready;
  }

  /** The driver, made at the first call. A failure is reported to whoever asked and tried again next time. */
  openDriver(): Promise<Driver> {
    this.made ??= this.make();
    return this.made;
  }

  private async make(): Promise<Driver> {
    try {
      const driver = await withLimit(this.parts.makeDriver(), 'setting the driver up', LOAD_LIMIT_MS);
      this.ready = driver;
      return driver;
    } catch (error) {
      this.made = undefined;
      throw this.explainSetup(error);
    }
  }

  /** Asks the backend now; callers at the same time share one check. Never throws. */
  check(): Promise<Health> {
    this.checking ??= this.runCheck().finally(() => {
      this.checking = undefined;
    });
    return this.checking;
  }

  /** The health as known, after a new look at a provider that has been offline for a while. */
  async refresh(): Promise<Health> {
    const { state, checkedAt = 0 } = this.health;
    if (state === 'offline' && Date.now() - checkedAt >= RECHECK_AFTER_MS) await this.check();
    return this.health;
  }

  noteSuccess(): void {
    if (this.health.state !== 'healthy') {
      const { latencyMs } = this.health;
      this.note({ state: 'healthy', ...(latencyMs !== undefined && { latencyMs }), checkedAt: Date.now() });
    }
  }

  noteFailure(failure: DriverError): void {
    if (failurePolicies[failure.code].offline) this.note(this.offline(failure));
  }

  /** Says once that the driver yields events which have no effect: a misspelling, or a contract newer than ours. */
  noteUnknownEvent(type: unknown): void {
    const name = JSON.stringify(String(type).slice(0, 50));
    if (this.unknownEvents.has(name) || this.unknownEvents.size === MOST_UNKNOWN_EVENTS) return;
    this.unknownEvents.add(name);
    this.log.warn(`driver "${this.settings.driver}" yields events of type ${name}, which has no effect here`);
  }

  /** What the driver says about itself; nothing where it says nothing, or fails to. */
  async metadata(): Promise<Record<string, string>> {
    try {
      const driver = await this.openDriver();
      if (!driver.metadata) return {};
      const values = await withLimit(driver.metadata(), 'its metadata()', METADATA_LIMIT_MS);
      return Object.fromEntries(Object.entries(values).map(([name, value]) => [name, String(value)]));
    } catch (error) {
      this.log.debug(`no metadata: ${this.redactor.redact(messageOf(error))}`);
      return {};
    }
  }

  /** Resolves when nothing is left of the programs that a call with this signal started. */
  ended(signal: AbortSignal): Promise<void> {
    return this.parts.programs.ended(signal);
  }

  async close(): Promise<void> {
    // A driver that is still being made holds nothing yet, and may never be there.
    try {
      if (this.ready?.close) await withLimit(Promise.resolve(this.ready.close()), 'its close()', CLOSE_LIMIT_MS);
    } catch (error) {
      this.log.warn(`closing the driver failed: ${messageOf(error)}`);
    }
    // Both are the provider's, so that a driver cannot leave processes and connections behind.
    await Promise.all([this.parts.programs.close(), this.parts.http.close()]);
  }

  private async runCheck(): Promise<Health> {
    const started = performance.now();
    const clock = new CallClock(CHECK_LIMIT_MS, new AbortController(), () => SLOW_CHECK[this.settings.kind]).start(
      Date.now(),
    );
    const call: Call = {
      id: 'check',
      signal: clock.signal,
      deadline: clock.deadline,
      log: this.log,
      trace: (event, fields) => this.log.debug(event, fields),
    };
    try {
      const driver = await untilAborted(this.openDriver(), clock.signal);
      const { detail, warnings } = (await untilAborted(Promise.resolve(driver.check(call)), clock.signal)) ?? {};
      const latencyMs = Math.round(performance.now() - started);
      const found = { ...(detail !== undefined && { detail }), ...(warnings && { warnings }) };
      this.note({ state: 'healthy', latencyMs, ...this.redacted(found), checkedAt: Date.now() }, { checked: true });
    } catch (error) {
      const offline = this.offline(toFailure(error, this, clock.signal));
      const isSlowToLoad = clock.signal.aborted && !this.ready;
      this.note(isSlowToLoad ? { ...offline, ...this.explainSlowSetup() } : offline, { checked: true });
    } finally {
      clock.stop();
    }
    return this.health;
  }

  /** A driver may have put what its backend said into the details. */
  private redacted({ detail, warnings }: CheckResult = {}): CheckResult {
    return {
      ...(detail !== undefined && { detail: this.redactor.redact(String(detail)) }),
      ...(warnings && { warnings: warnings.map((warning) => this.redactor.redact(String(warning))) }),
    };
  }

  private offline(failure: DriverError): Health {
    return {
      state: 'offline',
      timedOut: failure.code === 'timeout',
      reason: failure.message,
      kind: failure.kind,
      ...(failure.hint && { hint: failure.hint }),
      checkedAt: Date.now(),
    };
  }

  private explainSlowSetup() {
    return {
      reason: `driver "${this.settings.driver}" was not set up within ${CHECK_LIMIT_MS / 1000} s`,
      hint: 'its plug-in is slow to load: see drivebay plugins list',
    };
  }

  private explainSetup(error: unknown): DriverError {
    if (isDriverError(error) && failurePolicies[error.code].offline) return error;
    const isKnown = isDriverError(error);
    const hint = isKnown ? error.hint : undefined;
    return new DriverError('not_installed', isKnown ? error.message : explainBug(error, this.settings), {
      kind: 'driver_setup',
      cause: error,
      ...(hint !== undefined && { hint }),
    });
  }
}

function healthEvent({ state, latencyMs, timedOut, reason, hint }: Health, checked: boolean): ProviderEvent {
  return {
    type: 'health',
    state,
    ...(latencyMs !== undefined && { latencyMs }),
    ...(checked && { checked }),
    ...(timedOut && { timedOut }),
    ...(reason !== undefined && { reason }),
    ...(hint !== undefined && { hint }),
  };
}
