import { suggestName } from '../config/suggest-name';
import type { Problem } from '../errors';
import type { Tool } from '../contract/api';
import type { Device } from '../devices/device';
import { nameTools } from '../devices/tool-names';
import type { AgentManifest } from './agent-manifest';

/** The devices that a process may use. */
export class ToolBox {
  private readonly named: ReadonlyMap<string, Device>;
  private readonly allowed: ReadonlySet<Device> | undefined;
  /** Entries of `allowed_tools` that name nothing. */
  readonly warnings: Problem[] = [];

  constructor(devices: readonly Device[], { values, placeOf }: Pick<AgentManifest, 'values' | 'placeOf'>) {
    this.named = nameTools(devices);
    if (!values.allowed_tools) return;
    const allowed = new Set<Device>();
    for (const [index, entry] of values.allowed_tools.entries()) {
      const device = this.byName(entry);
      if (device) allowed.add(device);
      else this.warnings.push(explainUnknown(entry, devices, placeOf(['allowed_tools', index])));
    }
    this.allowed = allowed;
  }

  /** What the model of a provider is offered. A provider is no tool of its own model, unless `allowed_tools` names it. */
  offeredTo(own: Device): Tool[] {
    return [...this.named]
      .filter(([, device]) => this.refusal(device, own) === undefined)
      .map(([name, { schema }]) => ({ name, ...schema }));
  }

  /** The device that a model calls by the name of a tool. */
  find(tool: string): Device | undefined {
    return this.named.get(tool) ?? this.byName(tool);
  }

  /** Why the model of a provider may not use a device. */
  refusal(device: Device, own: Device): string | undefined {
    if (this.allowed) return this.allowed.has(device) ? undefined : `allowed_tools does not list ${device.path}`;
    return device === own ? `${device.path} is the model's own provider` : undefined;
  }

  /** By path, by the name of the tool, or by the device's own name where only one device has it. */
  private byName(name: string): Device | undefined {
    const devices = [...this.named.values()];
    const byPath = devices.find(({ path }) => path === name) ?? this.named.get(name);
    if (byPath) return byPath;
    const same = devices.filter((device) => device.name === name);
    return same.length === 1 ? same[0] : undefined;
  }
}

function explainUnknown(entry: string, devices: readonly Device[], place: Problem['place']): Problem {
  const paths = devices.map(({ path }) => path);
  const names = devices.map(({ name }) => name);
  return {
    message: `allowed_tools: there is no device ${JSON.stringify(entry)}`,
    ...(place && { place }),
    hint: suggestName(entry, [...paths, ...names], `devices: ${paths.join(', ')}`),
  };
}
