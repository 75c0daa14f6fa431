import { suggestName } from '../config/did-you-mean';
import type { Problem } from '../errors';
import type { Tool } from '../contract/api';
import { type Device, isLlm, type LlmDevice } from '../devices/device';
import { nameTools } from '../devices/tool-names';
import type { AgentManifest } from './agent-manifest';

export class ToolBox {
  private readonly named: ReadonlyMap<string, Device>;
  private readonly allowed: ReadonlySet<Device> | undefined;
  /** One for each entry of `allowed_tools` that is no device. */
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

  /** The tools for the model of a provider. A provider is no tool of its own model, unless `allowed_tools` names it. */
  offeredTo(own: Device): Tool[] {
    return [...this.named]
      .filter(([, device]) => this.refusal(device, own) === undefined)
      .map(([name, { schema }]) => ({ name, ...schema }));
  }

  /** Those that answer chats. */
  llms(): LlmDevice[] {
    return [...this.named.values()].filter(isLlm);
  }

  find(tool: string): Device | undefined {
    return this.named.get(tool) ?? this.byName(tool);
  }

  refusal(device: Device, own: Device): string | undefined {
    if (this.allowed) return this.allowed.has(device) ? undefined : `allowed_tools does not list ${device.path}`;
    return device === own ? `${device.path} is the model's own provider` : undefined;
  }

  /** Finds by path, by the name of the tool, or by the name of the device if only one device has that name. */
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
    place,
    hint: suggestName(entry, [...paths, ...names], `devices: ${paths.join(', ')}`),
  };
}
