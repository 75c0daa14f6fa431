import { describeKept, type KeptMemory, readKeptMemory } from '../devices/describe-kept';
import type { LlmDevice } from '../devices/device';
import type { KeptReport } from '../record/live-event';
import type { DashboardHost } from './dashboard-host';

/** Tells the pages what drivers keep. It looks only while a page is open: a chat must not pay for it. */
export class KeptWatch {
  /** Of the programs by their pids, as of the latest look. */
  memory: KeptMemory = new Map();
  /** What the pages know. */
  private readonly told = new WeakMap<LlmDevice, string>();

  private looking: Promise<void> | undefined;

  constructor(private readonly host: Pick<DashboardHost, 'stream' | 'providers'>) {}

  /** Reads the memory of the programs, and tells the pages what has changed. One look at a time. */
  look(): Promise<void> {
    this.looking ??= this.lookNow().finally(() => (this.looking = undefined));
    return this.looking;
  }

  private async lookNow(): Promise<void> {
    const providers = await this.host.providers();
    this.memory = await readKeptMemory(providers.map(({ device }) => device));
    for (const { device, project } of providers) {
      const kept = describeKept(device, this.memory);
      const now = JSON.stringify(kept.map(inWholeMegabytes));
      if (now === (this.told.get(device) ?? '[]')) continue;
      this.told.set(device, now);
      const event = { type: 'kept' as const, kept };
      this.host.stream.publish({ project: project ?? undefined, kind: 'provider', provider: device.name, event });
    }
  }
}

/** As pages show it: the memory of a program that does nothing varies. */
function inWholeMegabytes({ memoryBytes, ...facts }: KeptReport) {
  return { ...facts, megabytes: memoryBytes === null ? null : Math.round(memoryBytes / 2 ** 20) };
}
