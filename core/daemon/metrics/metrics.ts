import type { LlmDevice } from '../../devices/device';
import type { Refusals } from '../../limits/refusals';
import type { EventStream } from '../../record/event-stream';
import type { LedgerEntry, Ledger } from '../../record/ledger';
import { BoundedLabels } from './bounded-labels';
import type { InstrumentName, Labels, Meter, Reading } from './instruments';
import { LoopDelay } from './loop-delay';
import { measureCall } from './measure-call';
import { MeasuredEvents } from './measured-events';
import { PrometheusMeter } from './prometheus-meter';
import { readGauges } from './read-gauges';

export interface MeasuredDaemon {
  mode: string;
  stream: EventStream;
  ledger: Ledger;
  refusals: Refusals;
  /** The providers and routes of every open project. */
  devices(): Promise<readonly LlmDevice[]>;
  inFlight(): number;
  processes(): Promise<number>;
}

/**
 * Counts what the events and the ledger tell, so that requests do nothing for it. Import this file when metrics are asked for.
 */
export class Metrics implements Meter {
  private readonly labels = new BoundedLabels();
  private readonly meters: Meter[] = [];
  private readonly delay = new LoopDelay();
  private readonly closing = new AbortController();
  private readonly events = new MeasuredEvents(this, (model, hasAnswered) => this.labels.modelOf(model, hasAnswered));
  private readonly following: Promise<void>;
  private readonly unwatch: (() => void)[];
  private prometheus: PrometheusMeter | undefined;

  constructor(private readonly daemon: MeasuredDaemon) {
    this.unwatch = [
      daemon.ledger.watch((entries) => entries.forEach((entry) => this.takeCall(entry))),
      daemon.refusals.watch((client, reason) => this.record('drivebay.turned_away', 1, { client, reason })),
    ];
    this.following = this.follow();
  }

  /** From now on it counts for this meter, too. */
  add(meter: Meter): void {
    this.meters.push(meter);
  }

  /** Counts for the page from now on. */
  openPage(): void {
    if (this.prometheus) return;
    this.prometheus = new PrometheusMeter();
    this.add(this.prometheus);
  }

  async page(): Promise<{ type: string; text: string }> {
    this.openPage();
    const readings = await this.read();
    return this.prometheus!.page(readings);
  }

  /** What is true now; everything that has happened before is counted then. */
  async read(): Promise<Reading[]> {
    const { daemon, delay } = this;
    const devices = await this.lookAtModels();
    // Otherwise an alert about a provider without requests would never end. The next reading shows the result.
    for (const device of devices) void device.refresh();
    await daemon.ledger.flush();
    const processes = await daemon.processes();
    return readGauges({ mode: daemon.mode, devices, delay, inFlight: daemon.inFlight(), processes });
  }

  record(name: InstrumentName, value: number, labels: Labels): void {
    const bounded = this.labels.of(name, labels);
    for (const meter of this.meters) meter.record(name, value, bounded);
  }

  async close(): Promise<void> {
    for (const end of this.unwatch) end();
    this.delay.stop();
    this.closing.abort();
    await this.following;
  }

  private takeCall(entry: LedgerEntry): void {
    measureCall(this, entry, this.labels.modelOf(entry.model, entry.ok));
  }

  private async follow(): Promise<void> {
    const batches = this.daemon.stream.subscribe(this.closing.signal);
    await this.lookAtModels();
    for await (const batch of batches) {
      for (const event of batch) {
        if (event.kind === 'gap') this.record('drivebay.lost_events', event.to - event.from + 1, {});
        else this.events.take(event);
        if (event.kind === 'daemon' && event.event.what === 'projects') await this.lookAtModels();
      }
    }
  }

  /** Names of the configuration are exported unchanged. */
  private async lookAtModels(): Promise<readonly LlmDevice[]> {
    const devices = await this.daemon.devices();
    this.labels.configure(new Set(devices.flatMap(modelsOf)));
    return devices.filter(({ route }) => !route);
  }
}

function modelsOf({ defaultModel, embeddingModel, contextWindows, route }: LlmDevice): string[] {
  const named = [
    defaultModel,
    embeddingModel,
    ...contextWindows.keys(),
    ...(route?.targets ?? []).map(({ model }) => model),
  ];
  return named.filter((model) => model !== undefined);
}
