import type { LlmDevice } from '../devices/device';
import { describeProvider, payer } from '../devices/describe-device';
import type { DashboardHost } from './dashboard-host';
import { KeptWatch } from './kept-watch';
import type { ProviderFacts } from './protocol';

/** How often providers are looked at while a page is open. */
const LOOK_MS = 15_000;
/** Health and metadata older than this are asked for again. */
const OLD_MS = 60_000;
/** Programs are kept and taken with each chat. */
const KEPT_MS = 2_000;

/** The health of devices, and what the drivers of programs say of themselves, which takes them a while. */
export class DeviceFacts {
  private readonly metadata = new WeakMap<LlmDevice, { values: Record<string, string>; askedAt: number }>();
  private pages = 0;
  private readonly timers: NodeJS.Timeout[] = [];
  private readonly kept: KeptWatch;

  constructor(private readonly host: DashboardHost) {
    this.kept = new KeptWatch(host);
  }

  describe(device: LlmDevice): ProviderFacts {
    const pays = payer(device, this.metadata.get(device)?.values);
    return { ...describeProvider(device, this.kept.memory), pays };
  }

  /** Counts a page as open until the signal fires. */
  watch(gone: AbortSignal): void {
    if (gone.aborted) return;
    this.pages += 1;
    if (this.pages === 1) {
      this.timers.push(setInterval(() => void this.look(), LOOK_MS).unref());
      this.timers.push(setInterval(() => void this.kept.look(), KEPT_MS).unref());
      void this.look();
      void this.kept.look();
    }
    gone.addEventListener('abort', () => {
      this.pages -= 1;
      if (this.pages === 0) this.timers.splice(0).forEach((timer) => clearInterval(timer));
    });
  }

  private async look(): Promise<void> {
    for (const { device } of await this.host.providers()) {
      void this.check(device);
      if (device.driverKind === 'cli') void this.askDriver(device);
    }
  }

  private async check(device: LlmDevice): Promise<void> {
    const { state, checkedAt = 0 } = device.health;
    if (state === 'offline') await device.refresh();
    else if (state === 'unchecked' || Date.now() - checkedAt >= OLD_MS) await device.check();
  }

  private async askDriver(device: LlmDevice): Promise<void> {
    const known = this.metadata.get(device);
    const now = Date.now();
    if (known && now - known.askedAt < OLD_MS) return;
    // Noted first, so that the next look does not ask again while the driver still answers.
    const asked = { values: known?.values ?? {}, askedAt: now };
    this.metadata.set(device, asked);
    const values = await device.metadata();
    const hasChanged = JSON.stringify(values) !== JSON.stringify(asked.values);
    asked.values = values;
    if (hasChanged) this.host.stream.publish({ kind: 'daemon', event: { type: 'changed', what: 'metadata' } });
  }
}
