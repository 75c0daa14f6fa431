import { unknownProvider } from '../config/did-you-mean';
import { isPattern } from '../config/routes';
import { type Device, isLlm, type LlmDevice } from './device';

/** The devices that gateway and agents can reach, and nothing else. */
export class DeviceTable {
  private readonly devices = new Map<string, Device>();
  private readonly llmDevices = new Map<string, LlmDevice>();
  private readonly patterns: { device: LlmDevice; parts: string[] }[] = [];

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
    return this.patterns.find(({ parts }) => fits(name, parts))?.device;
  }

  private addPattern(device: LlmDevice): void {
    this.patterns.push({ device, parts: device.name.split('*') });
    // The sort is stable: of two that are as long the first of the file comes first.
    this.patterns.sort((a, b) => b.device.name.length - a.device.name.length);
  }
}

/** Whether a text has these parts in order, the first at its start and the last at its end. Clients may send any text. */
function fits(text: string, [first = '', ...rest]: readonly string[]): boolean {
  if (!text.startsWith(first)) return false;
  const last = rest.pop() ?? '';
  let end = first.length;
  for (const part of rest) {
    const start = text.indexOf(part, end);
    if (start < 0) return false;
    end = start + part.length;
  }
  return text.length - last.length >= end && text.endsWith(last);
}
