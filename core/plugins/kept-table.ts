import { freemem } from 'node:os';
import type { KeepOptions, Kept, KeptState } from '../contract/api';
import { LONGEST_TIMER_MS } from '../contract/wall-clock';

/** How many idle programs all providers may keep. Each takes 100 to 250 MB, however many conversations it holds. */
const MOST_PROGRAMS = 4;
/** How much may wait for clients. */
const MOST_WAITING = 32;
/** With less free memory than this nothing idle is kept. */
const SHORT_OF_MEMORY = 256 * 1024 * 1024;
const LOOK_EVERY_MS = 10_000;
const KNOWN_FOR_MS = 1_000;

/** Something that a driver keeps. `since` is in ms since the epoch. */
export interface KeptFacts {
  state: KeptState;
  since: number;
  pid: number | undefined;
}

interface Entry extends KeepOptions {
  owner: ProviderKept;
  since: number;
  timer: NodeJS.Timeout;
}

/** What the drivers of all providers keep beyond their calls. The longest kept one goes first. */
export class KeptTable {
  /** In order of their beginning. */
  private readonly entries = new Set<Entry>();
  private watch: NodeJS.Timeout | undefined;

  constructor(private readonly freeMemory: () => number = availableMemory) {}

  /** The part of one provider. */
  of(): ProviderKept {
    return new ProviderKept(this);
  }

  list(owner: ProviderKept): Entry[] {
    return [...this.entries].filter((entry) => entry.owner === owner);
  }

  add(owner: ProviderKept, options: KeepOptions): Entry {
    const timer = setTimeout(() => this.end(entry), Math.min(options.forMs, LONGEST_TIMER_MS)).unref();
    const entry: Entry = { ...options, owner, since: Date.now(), timer };
    this.entries.add(entry);
    this.watch ??= setInterval(() => this.endIfShort(), LOOK_EVERY_MS).unref();
    this.endAbove(options.most, (other) => other.owner === owner && other.state === entry.state);
    if (entry.state === 'waiting') this.endAbove(MOST_WAITING, ({ state }) => state === 'waiting');
    else this.endProgramsAbove(MOST_PROGRAMS);
    this.endIfShort();
    return entry;
  }

  /** False where it has gone already. */
  take(entry: Entry): boolean {
    clearTimeout(entry.timer);
    const isThere = this.entries.delete(entry);
    if (this.entries.size === 0) {
      clearInterval(this.watch);
      this.watch = undefined;
    }
    return isThere;
  }

  end(entry: Entry): void {
    if (this.take(entry)) entry.end();
  }

  private endAbove(most: number, counts: (entry: Entry) => boolean): void {
    const counted = [...this.entries].filter(counts);
    for (const entry of counted.slice(0, Math.max(0, counted.length - most))) this.end(entry);
  }

  private endProgramsAbove(most: number): void {
    const programs = new Map<unknown, Entry[]>();
    for (const entry of this.entries) {
      if (entry.state === 'waiting') continue;
      const program = entry.pid ?? entry;
      const known = programs.get(program);
      if (known) known.push(entry);
      else programs.set(program, [entry]);
    }
    const above = [...programs.values()].slice(0, Math.max(0, programs.size - most));
    for (const entry of above.flat()) this.end(entry);
  }

  /** Programs that wait for a client are ended one by one, and only when no idle one is left. */
  private endIfShort(): void {
    if (this.freeMemory() >= SHORT_OF_MEMORY) return;
    const idle = [...this.entries].filter(({ state }) => state !== 'waiting');
    for (const entry of idle.length > 0 ? idle : [...this.entries].slice(0, 1)) this.end(entry);
  }
}

/** What the driver of one provider keeps. */
export class ProviderKept {
  private isClosed = false;

  constructor(private readonly table: KeptTable) {}

  /** `context.keep` of the contract. */
  readonly keep = (options: KeepOptions): Kept => {
    const entry = this.table.add(this, options);
    if (this.isClosed) this.table.end(entry);
    return { take: () => this.table.take(entry) };
  };

  list(): KeptFacts[] {
    return this.table.list(this).map(({ state, since, pid }) => ({ state, since, pid }));
  }

  close(): void {
    this.isClosed = true;
    for (const entry of this.table.list(this)) this.table.end(entry);
  }
}

/** Speed: each chat that keeps something asks, and the system reads several files for the answer. */
const LATEST = { memory: Infinity, until: 0 };

/** Other systems count memory as used that they would give back. */
function availableMemory(): number {
  if (process.platform !== 'linux' || performance.now() < LATEST.until) return LATEST.memory;
  // Knows the limit of a container. Not every Node 20 has it.
  const { availableMemory: available = freemem } = process as { availableMemory?: () => number };
  LATEST.memory = available();
  LATEST.until = performance.now() + KNOWN_FOR_MS;
  return LATEST.memory;
}

let shared: KeptTable | undefined;

/** There is one memory, for the providers of all projects. */
export function sharedKeptTable(): KeptTable {
  shared ??= new KeptTable();
  return shared;
}
