import type { LlmDevice } from './llm-device';

const LLM = '/dev/llm/';

/** Every device by path: what gateway and agents can reach, and nothing else. */
export class DeviceTable {
  private readonly devices = new Map<string, LlmDevice>();

  register(device: LlmDevice): void {
    this.devices.set(device.path, device);
  }

  /** The device of a provider. */
  llm(name: string): LlmDevice | undefined {
    return this.devices.get(LLM + name);
  }

  /** In the order of the configuration. */
  list(): LlmDevice[] {
    return [...this.devices.values()];
  }
}
