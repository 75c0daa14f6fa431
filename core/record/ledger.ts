import type { Logger, Warmth } from '../contract/api';
import type { Redactor } from '../contract/redact';
import { AppendFile, warnOnce } from './append-file';
import { ledgerDirectory, ledgerFile, pruneLedger } from './ledger-files';
import { pickUsage, type StepUsage } from './usage';

/**
 * The origin of a call: a client of the gateway, in one of its dialects, a user of the dashboard or of `drivebay chat`, a client
 * of our MCP server, or the agent process with this pid. `client`: the name of the client in the configuration that asks.
 */
export type Asker =
  | { type: 'gateway'; dialect?: string; client?: string }
  | { type: 'dashboard' | 'chat' }
  | { type: 'mcp'; client?: string }
  | { type: 'process'; pid: number; client?: string }
  /** A tool server that asks a model, during a call of this process. */
  | { type: 'server'; server: string; pid?: number };

export function clientOf(asker: Asker): string | undefined {
  return 'client' in asker ? asker.client : undefined;
}

/** More about a call, for watchers. The file of the ledger does not have it. */
export interface CallFacts {
  /** As in the conventions of OpenTelemetry. */
  operation: 'chat' | 'embeddings';
  driverAlias: string;
  isStream: boolean;
  /** From the question to the end of the answer. */
  ms: number;
  /** Until its first words; absent where there were none. */
  firstMs?: number;
  /** The kind of the failure; absent where there was none. */
  failure?: string;
}

/** What a call has used about, when it ended before its backend had reported it. Limits count it, and no sum of usage does. */
export interface Guess {
  tokens: number;
  costUsd: number;
}

/** The usage of one call: a line of the ledger. */
export interface LedgerEntry {
  /** The end of the call, in ms since the epoch. */
  time: number;
  provider: string;
  /** Tells providers of one name apart. */
  account?: string;
  driver: string;
  model?: string;
  /** The route that the call went through; absent for a call to the provider itself. */
  route?: string;
  /** The project root; absent outside of a project. */
  project?: string;
  asker: Asker;
  /** Absent when the backend did not report it. */
  usage?: StepUsage;
  costUsd: number;
  /** What it would cost without the subscription that pays. */
  nominalUsd?: number;
  /** Who said the price; absent where nothing did. */
  priced?: string;
  /** Absent where the usage is known, where nothing was said, and where nothing is limited. */
  guess?: Guess;
  /** The model that was asked for, where the backend answered with another name. */
  asked?: string;
  ok: boolean;
  /** A further attempt of a request whose first one is a line of its own. */
  again?: true;
  /** How the driver came to its program, where it keeps programs. */
  warm?: Warmth;
  call?: CallFacts;
}

type LineField = Exclude<keyof LedgerEntry, 'asker' | 'call'> | 'source' | 'dialect' | 'client' | 'server' | 'machine';

const GATHER_MS = 100;
/** Entries that wait for longer than it takes to book a few more are copied by each collection of garbage. */
const GATHER_ENTRIES = 32;
/** Clients may send any text as a model. */
const MODEL_LENGTH = 200;

/** Keeps the usage of every call. Booking is a push onto a list; the lines are made later, for many calls at once. */
export class Ledger {
  private waiting: LedgerEntry[] = [];
  private timer: NodeJS.Timeout | undefined;
  private file: AppendFile | undefined;
  /** The end of the files of past months. */
  private past: Promise<unknown> = Promise.resolve();
  /** The month of the file. Making the name of the file for each entry would take longer than the entry. */
  private month: number | undefined;
  /** Why lines were last not written. Each loss has an error object of its own. */
  loss: unknown;
  private readonly warn: (error: unknown) => void;
  /** Stands in the lines that are made from now on, where several daemons share what they count. */
  machine?: string;
  private readonly watchers = new Set<(entries: readonly LedgerEntry[]) => void>();

  constructor(private readonly options: { state: string; redactor: Redactor; log: Logger }) {
    this.warn = warnOnce(options.log, `usage cannot be kept in ${ledgerDirectory(options.state)}`);
  }

  /** Hands over what was booked, many entries at once, until the returned function is called. */
  watch(take: (entries: readonly LedgerEntry[]) => void): () => void {
    this.watchers.add(take);
    return () => void this.watchers.delete(take);
  }

  readonly book = (entry: LedgerEntry): void => {
    if (this.waiting.push(entry) >= GATHER_ENTRIES) this.makeLines();
    this.timer ??= setTimeout(() => void this.flush(), GATHER_MS).unref();
  };

  /** Resolves when the system has everything that was booked. */
  async flush(): Promise<void> {
    clearTimeout(this.timer);
    this.timer = undefined;
    this.makeLines();
    await Promise.all([this.past, this.file?.flush()]);
  }

  private makeLines(): void {
    const { waiting: entries } = this;
    this.waiting = [];
    for (const take of this.watchers) take(entries);
    for (const entry of entries) this.fileOf(entry).append(this.lineOf(entry));
  }

  private fileOf({ time }: LedgerEntry): AppendFile {
    const month = monthOf(time);
    if (this.file && month === this.month) return this.file;
    const ended = this.file;
    if (ended) this.past = this.past.then(() => ended.flush()).then(() => this.prune());
    this.month = month;
    const failed = (error: unknown) => this.warn((this.loss = error));
    return (this.file = new AppendFile(ledgerFile(this.options.state, time), failed));
  }

  async prune(): Promise<void> {
    await pruneLedger(this.options.state).catch(this.warn);
  }

  /** The time comes first, so that readers know it without parsing the line. */
  private lineOf(entry: LedgerEntry): Record<LineField, unknown> {
    const { time, asker, model, asked, usage } = entry;
    return {
      time,
      source: asker.type === 'process' ? asker.pid : asker.type,
      dialect: asker.type === 'gateway' ? asker.dialect : undefined,
      client: clientOf(asker),
      server: asker.type === 'server' ? asker.server : undefined,
      machine: this.machine,
      provider: entry.provider,
      account: entry.account,
      driver: entry.driver,
      route: entry.route,
      project: entry.project,
      costUsd: entry.costUsd,
      nominalUsd: entry.nominalUsd,
      priced: entry.priced,
      guess: entry.guess,
      ok: entry.ok,
      again: entry.again,
      warm: entry.warm,
      model: model && this.nameOf(model),
      asked: asked && this.nameOf(asked),
      usage: usage && pickUsage(usage),
    };
  }

  /** Redacted before it is cut, because half a key would not be recognized. */
  private nameOf(model: string): string {
    return this.options.redactor.redact(model).slice(0, MODEL_LENGTH);
  }
}

/** Counts the months of UTC. */
function monthOf(time: number): number {
  const date = new Date(time);
  return date.getUTCFullYear() * 12 + date.getUTCMonth();
}
