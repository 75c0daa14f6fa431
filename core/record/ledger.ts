import type { Logger } from '../contract/api';
import type { Redactor } from '../contract/redact';
import { AppendFile } from './append-file';
import { ledgerDirectory, ledgerFile } from './ledger-files';
import { pruneLedger } from './prune-ledger';
import { pickUsage, type StepUsage } from './usage';
import { warnOnce } from './warn-once';

/** Who made a call: a client of the gateway, or the agent process with this pid. */
export type Asker = { type: 'gateway' } | { type: 'process'; pid: number };

/** What one call used: a line of the ledger. */
export interface LedgerEntry {
  /** When it ended, in ms since the epoch. */
  time: number;
  provider: string;
  driver: string;
  model?: string;
  /** The project root; absent outside of a project. */
  project?: string;
  asker: Asker;
  /** Absent where the backend did not say. */
  usage?: StepUsage;
  costUsd: number;
  ok: boolean;
}

const GATHER_MS = 100;
/** Clients may send any text as a model. */
const MODEL_LENGTH = 200;

/** Writes down what every turn used. Booking costs a push onto a list; everything else happens later, for many at once. */
export class Ledger {
  private waiting: LedgerEntry[] = [];
  private timer: NodeJS.Timeout | undefined;
  private file: AppendFile | undefined;
  /** That of the file: to write its name for each entry would take longer than the entry. */
  private month: number | undefined;
  private readonly failed: (error: unknown) => void;

  constructor(private readonly options: { state: string; redactor: Redactor; log: Logger }) {
    this.failed = warnOnce(options.log, `usage cannot be kept in ${ledgerDirectory(options.state)}`);
  }

  readonly book = (entry: LedgerEntry): void => {
    this.waiting.push(entry);
    this.timer ??= setTimeout(() => void this.flush(), GATHER_MS).unref();
  };

  /** Resolves when everything that was booked is with the system. */
  async flush(): Promise<void> {
    clearTimeout(this.timer);
    this.timer = undefined;
    const entries = this.waiting;
    this.waiting = [];
    for (const entry of entries) {
      const month = monthOf(entry.time);
      if (month !== this.month || !this.file) {
        await this.file?.flush();
        if (this.file) await this.prune();
        this.file = new AppendFile(ledgerFile(this.options.state, entry.time), this.failed);
        this.month = month;
      }
      this.file.append(this.lineOf(entry));
    }
    await this.file?.flush();
  }

  /** Drops old months. */
  async prune(): Promise<void> {
    await pruneLedger(this.options.state).catch(this.failed);
  }

  private lineOf(entry: LedgerEntry): string {
    const { time, provider, driver, asker, model, usage, costUsd, ok, project } = entry;
    const line = {
      time,
      provider,
      driver,
      source: asker.type === 'process' ? asker.pid : 'gateway',
      costUsd,
      ok,
      // Redacted before it is cut: half a key would not be known.
      model: model && this.options.redactor.redact(model).slice(0, MODEL_LENGTH),
      usage: usage && pickUsage(usage),
      project,
    };
    return `${JSON.stringify(line)}\n`;
  }
}

/** Counts the months of UTC. */
function monthOf(time: number): number {
  const date = new Date(time);
  return date.getUTCFullYear() * 12 + date.getUTCMonth();
}
