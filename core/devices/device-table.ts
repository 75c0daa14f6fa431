import { unknownProvider } from '../config/did-you-mean';
import { isPattern } from '../config/routes';
import { starPattern } from '../plugins/star-pattern';
import { type Device, isLlm, type LlmDevice } from './device';

/** The devices that gateway and agents can reach, and nothing else. */
export class DeviceTable {
  private readonly devices = new Map<string, Device>();
  private readonly llmDevices = new Map<string, LlmDevice>();
  private readonly patterns: { device: LlmDevice; pattern: Pick<RegExp, 'test'> }[] = [];

  constructor(devices: Iterable<Device> = []) {
    for (const device of devices) this.register(device);
  }

  protected register(device: Device): void {
    if (isLlm(device) && isPattern(device.name)) this.addPattern(device);
    else {
      this.devices.set(device.path, device);
      if (isLlm(device)) this.llmDevices.set(device.name, device);
    }
  }

  /** All of them, in the order of the configuration. Without patterns, which are for clients of the gateway only. */
  list(): Device[] {
    return [...this.devices.values()];
  }

  /** The one that answers chats under this name. */
  llm(name: string): LlmDevice | undefined {
    return this.llmDevices.get(name);
  }

  /** The same. Throws a UsageError where there is none. */
  need(name: string): LlmDevice {
    const found = this.llm(name);
    if (found) return found;
    throw unknownProvider(
      name,
      this.llms().map((device) => device.name),
    );
  }

  llms(): LlmDevice[] {
    return [...this.llmDevices.values()];
  }

  /** The devices that are no route. */
  providers(): LlmDevice[] {
    return this.llms().filter(({ route }) => !route);
  }

  /** Every route, patterns last. */
  routes(): LlmDevice[] {
    return [...this.llms().filter(({ route }) => route), ...this.patterns.map(({ device }) => device)];
  }

  /** The route whose pattern fits; of several the one with the longest pattern. */
  byPattern(name: string): LlmDevice | undefined {
    return this.patterns.find(({ pattern }) => pattern.test(name))?.device;
  }

  private addPattern(device: LlmDevice): void {
    this.patterns.push({ device, pattern: starPattern(device.name) });
    // The sort is stable: of two that are as long the first of the file comes first.
    this.patterns.sort((a, b) => b.device.name.length - a.device.name.length);
  }
}
