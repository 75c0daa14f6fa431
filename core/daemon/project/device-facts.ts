import type { ProviderFacts } from '../../dashboard/protocol';
import type { LlmDevice } from '../../devices/device';
import { describeProvider, payer } from '../../devices/describe-device';

/** While the dashboard is open, health and metadata older than this are asked for again. */
const OLD_MS = 60_000;

/** The health of devices, and what the drivers of programs say of themselves, which takes them a while. */
export class DeviceFacts {
  private readonly metadata = new WeakMap<LlmDevice, { values: Record<string, string>; askedAt: number }>();

  /** `changed` is called when a driver says something new. */
  constructor(private readonly changed: () => void) {}

  describe(device: LlmDevice): ProviderFacts {
    const metadata = device.driverKind === 'cli' ? (this.metadata.get(device)?.values ?? {}) : null;
    return { ...describeProvider(device), pays: payer(device, metadata), metadata };
  }

  /** Asks the backend, and the driver, where that is due. Never rejects. */
  async look(device: LlmDevice): Promise<void> {
    await Promise.all([this.check(device), device.driverKind === 'cli' && this.askDriver(device)]);
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
    if (hasChanged) this.changed();
  }
}
