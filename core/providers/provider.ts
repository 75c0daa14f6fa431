import type { ChatRequest, Diagnosis, Driver, EmbeddingRequest, Logger, OfferedModel } from '../contract/api';
import type { Redactor } from '../contract/redact';
import { messageOf } from '../errors';
import type { ProviderKept } from '../plugins/kept-table';
import { LOAD_LIMIT_MS, withLimit } from '../plugins/load';
import type { LedgerEntry } from '../record/ledger';
import type { ProviderEvent } from '../record/live-event';
import { listModels, readMetadata } from './ask-driver';
import { countTokens } from './count-tokens';
import { runCall } from './call';
import type { Caller } from './caller';
import { ChatTurn, type TurnResult } from './chat-turn';
import { diagnose } from './diagnose';
import { EmbeddingTurn, type EmbeddingResult } from './embedding-turn';
import type { Emit } from './emit';
import { type Health, HealthWatch } from './health';
import { findLack, type Lack } from './find-lack';
import { llmSchema, toChatRequest } from './llm-tool';
import { type Rest, Rests } from './rests';
import { Configured, type ProviderSettings } from './settings';
import { Slots } from './slots';
import { explainSetup } from './to-failure';

const CLOSE_LIMIT_MS = 5_000;
/** A driver that invents types must not fill the log. */
const MOST_UNKNOWN_EVENTS = 10;

export interface ProviderParts {
  makeDriver: () => Promise<Driver>;
  http: { close(): Promise<void> };
  programs: { close(): Promise<void>; ended(signal: AbortSignal): Promise<void> };
  kept: Pick<ProviderKept, 'list' | 'close'>;
  redactor: Redactor;
  log: Logger;
  book?: (entry: LedgerEntry) => void;
  report?: (event: ProviderEvent) => void;
  /** Absent: the rests of this provider are its own, and are not kept. */
  rests?: Rests;
}

/** One entry of the configuration, with its driver, health and queue. It is the device `/dev/llm/<name>`. */
export class Provider extends Configured {
  readonly kind = 'llm';
  readonly path: string;
  readonly slots: Slots | undefined;
  readonly redactor: Redactor;
  readonly log: Logger;
  readonly book: ((entry: LedgerEntry) => void) | undefined;
  readonly watch: HealthWatch;
  readonly restBook: Rests;
  readyDriver: Driver | undefined;
  private opening: Promise<Driver> | undefined;
  private readonly unknownEvents = new Set<string>();
  private readonly forgetRests: (() => void) | undefined;

  constructor(
    settings: ProviderSettings,
    private readonly parts: ProviderParts,
  ) {
    super(settings);
    this.path = `/dev/llm/${settings.name}`;
    this.slots = settings.maxConcurrency === undefined ? undefined : new Slots(settings.maxConcurrency);
    this.redactor = parts.redactor;
    this.log = parts.log;
    this.book = parts.book;
    this.watch = new HealthWatch(this, parts.report);
    this.restBook = parts.rests ?? new Rests();
    const { report } = parts;
    // Projects share the rests, and this provider may be closed before the others.
    this.forgetRests = report && this.restBook.onChange(() => report({ type: 'rests', rests: this.rests }));
  }

  get schema() {
    return llmSchema(this.name, this.defaultModel);
  }

  /** Answers a model that uses this one as a tool. */
  async call(
    input: unknown,
    caller: { chat(device: Provider, request: ChatRequest): Promise<string> },
  ): Promise<string> {
    return caller.chat(this, toChatRequest(input));
  }

  chat(request: ChatRequest, caller: Caller, emit: Emit): Promise<TurnResult> {
    return runCall(this, caller, new ChatTurn(this, request, emit));
  }

  embed(request: EmbeddingRequest, caller: Caller): Promise<EmbeddingResult> {
    return runCall(this, caller, new EmbeddingTurn(this, request));
  }

  get load() {
    return this.slots?.load;
  }

  /** What the driver keeps for further calls. */
  get kept() {
    return this.parts.kept.list();
  }

  /** The rests that go on. */
  get rests(): Rest[] {
    return this.restBook.list();
  }

  restOf(model: string | undefined): Rest | undefined {
    return this.restBook.of(model ?? this.defaultModel);
  }

  wake(): number {
    return this.restBook.wake();
  }

  get runsPrograms(): boolean {
    return this.driverKind === 'cli';
  }

  get needsModel(): boolean {
    return this.driverKind === 'http' && this.defaultModel === undefined;
  }

  lackFor(request: ChatRequest, model: string | undefined): Lack | undefined {
    return findLack(request, model, this);
  }

  get health(): Health {
    return this.watch.health;
  }

  refresh(): Promise<Health> {
    return this.watch.refresh();
  }

  check(): Promise<Health> {
    return this.watch.check();
  }

  metadata(): Promise<Record<string, string>> {
    return readMetadata(this);
  }

  models(): Promise<OfferedModel[] | undefined> {
    return listModels(this);
  }

  countTokens(request: ChatRequest): Promise<number | undefined> {
    // Asking would open the driver of a request that is only to be estimated.
    const cannot = this.readyDriver !== undefined && !this.readyDriver.countTokens;
    return cannot ? Promise.resolve(undefined) : countTokens(this, request);
  }

  diagnose(limitMs?: number): Promise<Diagnosis[]> {
    return diagnose(this, limitMs);
  }

  /** The driver, made at the first call. A failure is reported to that caller, and the next one tries again. */
  openDriver(): Promise<Driver> {
    this.opening ??= this.makeDriver();
    return this.opening;
  }

  private async makeDriver(): Promise<Driver> {
    try {
      this.readyDriver = await withLimit(this.parts.makeDriver(), 'setting the driver up', LOAD_LIMIT_MS);
      return this.readyDriver;
    } catch (error) {
      this.opening = undefined;
      throw explainSetup(error, this);
    }
  }

  /** Warns once about events that have no effect: a misspelling, or a contract newer than ours. */
  noteUnknownEvent(type: unknown): void {
    const name = JSON.stringify(String(type).slice(0, 50));
    if (this.unknownEvents.has(name) || this.unknownEvents.size === MOST_UNKNOWN_EVENTS) return;
    this.unknownEvents.add(name);
    this.log.warn(`driver "${this.driverAlias}" yields events of type ${name}, which has no effect here`);
  }

  /** Resolves when nothing is left of the programs that a call with this signal started. */
  ended(signal: AbortSignal): Promise<void> {
    return this.parts.programs.ended(signal);
  }

  async close(): Promise<void> {
    const { readyDriver, parts } = this;
    this.forgetRests?.();
    // A driver that is still being made holds nothing yet, and may never be ready.
    try {
      if (readyDriver?.close) await withLimit(Promise.resolve(readyDriver.close()), 'its close()', CLOSE_LIMIT_MS);
    } catch (error) {
      this.log.warn(`closing the driver failed: ${messageOf(error)}`);
    }
    parts.kept.close();
    // Programs and connections belong to the provider, so that a driver cannot leave any behind.
    await Promise.all([parts.programs.close(), parts.http.close()]);
  }
}
