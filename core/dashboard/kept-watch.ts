import { describeKept, type KeptMemory, readKeptMemory } from '../devices/describe-kept';
import type { LlmDevice } from '../devices/device';
import type { DashboardHost } from './dashboard-host';

/** What drivers keep. No event tells of it but those of here, and only while a page is open: a chat must not pay for them. */
export class KeptWatch {
  /** Of the programs by their pids, as of the latest look. */
  memory: KeptMemory = new Map();
  /** What the pages know. */
  private readonly told = new WeakMap<LlmDevice, string>();

  constructor(private readonly host: Pick<DashboardHost, 'stream' | 'providers'>) {}

  /** Reads the memory of the programs, and tells the pages what is not as it was. */
  async look(): Promise<void> {
    const providers = await this.host.providers();
    this.memory = await readKeptMemory(providers.map(({ device }) => device));
    for (const { device, project } of providers) {
      const kept = describeKept(device, this.memory);
      const now = JSON.stringify(kept);
      if (now === (this.told.get(device) ?? '[]')) continue;
      this.told.set(device, now);
      const event = { type: 'kept' as const, kept };
      this.host.stream.publish({ project: project ?? undefined, kind: 'provider', provider: device.name, event });
    }
  }
}
