import type { ChatRequest, Diagnosis, Driver, EmbeddingRequest, Logger, OfferedModel } from '../contract/api';
import type { Redactor } from '../contract/redact';
import { waitAtMost } from '../contract/wait-at-most';
import type { ProviderKept } from '../plugins/kept-table';
import type { LedgerEntry } from '../record/ledger';
import type { Limits } from '../limits/limits';
import type { ProviderEvent } from '../record/live-event';
import type { Programs } from '../subprocess/programs';
import { listModels, readMetadata } from './ask-driver';
import { countTokens } from './count-tokens';
import { runCall } from './call';
import type { Caller, Used } from './caller';
import { ChatTurn } from './chat-turn';
import { diagnose } from './diagnose';
import { EmbeddingTurn, type EmbeddingResult } from './embedding-turn';
import type { Emit } from './emit';
import { type Health, HealthWatch } from './health';
import { findLack, type Lack } from './find-lack';
import { LimitRest } from './limit-rest';
import { llmSchema, toChatRequest } from './llm-tool';
import { OwnedDriver } from './owned-driver';
import { type Rest, Rests } from './rests';
import { Configured, type ProviderSettings } from './settings';
import { Slots } from '../limits/slots';
import { explainSetup } from './to-failure';
import { warnOfUnknown } from './check-event';
import { Users } from './users';

/** How long a program may go on after its answer, for example to write its session, when its provider is taken away. */
const WIND_DOWN_MS = 10_000;

export interface ProviderParts {
  makeDriver: () => Promise<Driver>;
  http: { close(): Promise<void> };
  programs: Pick<Programs, 'close' | 'ended' | 'idle' | 'count'>;
  kept: Pick<ProviderKept, 'list' | 'close'>;
  redactor: Redactor;
  log: Logger;
  book?: (entry: LedgerEntry) => void;
  report?: (event: ProviderEvent) => void;
  /** Absent: the rests of this provider are its own, and are not kept. */
  rests?: Rests;
  limits?: Limits;
}

type ToolCaller = { chat(device: Provider, request: ChatRequest): Promise<string> };

/** One entry of the configuration, with its driver, health and queue. It is the device `/dev/llm/<name>`. */
export class Provider extends Configured {
  readonly kind = 'llm';
  readonly path: string;
  readonly users = new Users();
  slots: Slots | undefined;
  readonly redactor: Redactor;
  readonly log: Logger;
  readonly book: ((entry: LedgerEntry) => void) | undefined;
  readonly watch: HealthWatch;
  readonly restBook: Rests;
  readonly limits: Limits | undefined;
  readonly programs: { readonly count: number };
  private readonly ownDriver: OwnedDriver;
  readonly noteUnknownEvent: (type: unknown) => void;
  private readonly forgetRests: () => void;
  private readonly limitRest: LimitRest;
  private closing: Promise<void> | undefined;

  constructor(
    settings: ProviderSettings,
    private readonly parts: ProviderParts,
  ) {
    super(settings);
    this.path = `/dev/llm/${settings.name}`;
    this.slots = settings.maxConcurrency === undefined ? undefined : new Slots(settings.maxConcurrency);
    ({ redactor: this.redactor, log: this.log, book: this.book, limits: this.limits } = parts);
    this.noteUnknownEvent = warnOfUnknown(this);
    const explain = (error: unknown) => explainSetup(error, this);
    this.ownDriver = new OwnedDriver({ name: settings.name, make: parts.makeDriver, explain, log: parts.log });
    this.watch = new HealthWatch(this, parts.report);
    this.restBook = parts.rests ?? new Rests();
    this.programs = parts.programs;
    const tellRests = () => parts.report?.({ type: 'rests', rests: this.rests });
    this.limitRest = new LimitRest(this.limits, tellRests);
    // Projects share the rests, and this provider may be closed before the others.
    this.forgetRests = this.restBook.onChange(tellRests);
  }

  get schema() {
    return llmSchema(this.name, this.defaultModel);
  }

  /** Answers a model that uses this one as a tool. */
  async call(input: unknown, caller: ToolCaller): Promise<string> {
    return caller.chat(this, toChatRequest(input));
  }

  chat(request: ChatRequest, caller: Caller, emit: Emit): Promise<Used> {
    return runCall(this, caller, new ChatTurn(this, request, emit, caller));
  }

  embed(request: EmbeddingRequest, caller: Caller): Promise<EmbeddingResult> {
    return runCall(this, caller, new EmbeddingTurn(this, request));
  }

  get load() {
    return this.slots?.load;
  }

  get kept() {
    return this.parts.kept.list();
  }

  get rests(): Rest[] {
    return this.limitRest.joinedTo(this.restBook.list());
  }

  restOf(model: string | undefined): Rest | undefined {
    return this.limitRest.orLonger(this.restBook.of(model ?? this.defaultModel));
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

  countTokens(request: ChatRequest, gone: AbortSignal): Promise<number | undefined> {
    // Asking would open the driver of a request that is only to be estimated.
    const cannot = this.readyDriver !== undefined && !this.readyDriver.countTokens;
    return cannot ? Promise.resolve(undefined) : countTokens(this, request, gone);
  }

  diagnose(limitMs?: number): Promise<Diagnosis[]> {
    return diagnose(this, limitMs);
  }

  get readyDriver(): Driver | undefined {
    return this.ownDriver.ready;
  }

  openDriver(): Promise<Driver> {
    return this.ownDriver.open();
  }

  ended(signal: AbortSignal): Promise<void> {
    return this.parts.programs.ended(signal);
  }

  /** It is no longer in the configuration: it ends with its last user. Resolves when nothing is left of it. */
  async retire(): Promise<void> {
    this.parts.kept.close();
    await this.users.gone();
    await waitAtMost(WIND_DOWN_MS, this.parts.programs.idle());
    await this.close();
  }

  /** Ends everything of it now. */
  close(): Promise<void> {
    this.closing ??= this.end();
    return this.closing;
  }

  private async end(): Promise<void> {
    const { kept, programs, http } = this.parts;
    this.forgetRests();
    await this.ownDriver.close();
    kept.close();
    // Programs and connections belong to the provider, so that a driver cannot leave any behind.
    await Promise.all([programs.close(), http.close()]);
  }
}
