import type { Device, LlmDevice } from './device';

/** The devices that gateway and agents can reach, and nothing else. */
export class DeviceTable {
  private readonly devices = new Map<string, Device>();
  private readonly llmDevices = new Map<string, LlmDevice>();

  register(device: Device): void {
    this.devices.set(device.path, device);
    if (isLlm(device)) this.llmDevices.set(device.name, device);
  }

  /** All of them, in the order of the configuration. */
  list(): Device[] {
    return [...this.devices.values()];
  }

  /** The one that answers chats under this name. */
  llm(name: string): LlmDevice | undefined {
    return this.llmDevices.get(name);
  }

  llms(): LlmDevice[] {
    return [...this.llmDevices.values()];
  }
}

function isLlm(device: Device): device is LlmDevice {
  return device.kind === 'llm';
}
