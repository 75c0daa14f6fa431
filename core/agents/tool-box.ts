import { suggestName } from '../config/did-you-mean';
import type { Position, Problem } from '../errors';
import type { Tool } from '../contract/api';
import { type Device, type FunctionDevice, isLlm, type LlmDevice } from '../devices/device';
import { nameTools } from '../devices/tool-names';
import { isToolServer, type ToolServer } from '../devices/tool-server';
import type { AgentManifest } from './agent-manifest';

/** A tool server that an agent may use; `only` has the tools that are named one by one, with their places. */
export interface AllowedServer {
  server: ToolServer;
  only?: ReadonlyMap<string, Position | undefined>;
}

/** What `allowed_tools` admits of the devices: decided before a process begins, and without starting anything. */
export class ToolBox {
  private readonly named: ReadonlyMap<string, FunctionDevice>;
  private readonly allowed: ReadonlySet<Device> | undefined;
  readonly servers: AllowedServer[];
  /** One for each entry of `allowed_tools` that is no device. */
  readonly warnings: Problem[] = [];

  /** `held`: the paths of tool servers that wait for `drivebay trust`. */
  constructor(
    private readonly devices: readonly Device[],
    { values, placeOf }: Pick<AgentManifest, 'values' | 'placeOf'>,
    held: readonly string[] = [],
  ) {
    this.named = nameTools(devices.filter((device): device is FunctionDevice => !isToolServer(device)));
    this.servers = devices.filter(isToolServer).map((server) => ({ server }));
    if (!values.allowed_tools) return;
    const allowed = new Set<Device>();
    const single = new Map<ToolServer, Map<string, Position | undefined>>();
    for (const [index, entry] of values.allowed_tools.entries()) {
      const place = placeOf(['allowed_tools', index]);
      const device = this.byName(entry);
      const tool = device ? undefined : this.singleTool(entry);
      if (device) allowed.add(device);
      else if (tool) single.set(tool.server, new Map([...(single.get(tool.server) ?? []), [tool.name, place]]));
      else this.warnings.push(explainUnknown(entry, devices, held, place));
    }
    this.allowed = allowed;
    this.servers = this.servers.flatMap(({ server }) => {
      const only = allowed.has(server) ? undefined : single.get(server);
      return only || allowed.has(server) ? [{ server, only }] : [];
    });
  }

  /** The tools for the model of a provider. A provider is no tool of its own model, unless `allowed_tools` names it. */
  offeredTo(own: Device): Tool[] {
    return [...this.named]
      .filter(([, device]) => this.refusal(device, own) === undefined)
      .map(([name, { schema }]) => ({ name, ...schema }));
  }

  /** The devices for a program, which has tools of its own: only those that `allowed_tools` names. */
  namedFor(own: Device): Tool[] {
    return this.allowed ? this.offeredTo(own) : [];
  }

  /** Those that answer chats. */
  llms(): LlmDevice[] {
    return [...this.named.values()].filter(isLlm);
  }

  find(tool: string): FunctionDevice | undefined {
    const device = this.named.get(tool) ?? this.byName(tool);
    return device && !isToolServer(device) ? (device as FunctionDevice) : undefined;
  }

  refusal(device: Device, own: Device): string | undefined {
    if (this.allowed) return this.allowed.has(device) ? undefined : `allowed_tools does not list ${device.path}`;
    return device === own ? `${device.path} is the model's own provider` : undefined;
  }

  /** Finds by path, by the name of the tool, or by the name of the device if only one device has that name. */
  private byName(name: string): Device | undefined {
    const byPath = this.devices.find(({ path }) => path === name) ?? this.named.get(name);
    if (byPath) return byPath;
    const same = this.devices.filter((device) => device.name === name);
    return same.length === 1 ? same[0] : undefined;
  }

  /** `/dev/mcp/files/read_file`. Whether the server has the tool is known when it runs. */
  private singleTool(entry: string): { server: ToolServer; name: string } | undefined {
    const server = this.devices.filter(isToolServer).find(({ path }) => entry.startsWith(`${path}/`));
    return server && { server, name: entry.slice(server.path.length + 1) };
  }
}

function explainUnknown(
  entry: string,
  devices: readonly Device[],
  held: readonly string[],
  place: Problem['place'],
): Problem {
  const paths = devices.map(({ path }) => path);
  const names = devices.map(({ name }) => name);
  const waits = held.find((path) => path === entry || entry.startsWith(`${path}/`));
  return {
    message: `allowed_tools: there is no device ${JSON.stringify(entry)}`,
    place,
    hint: waits
      ? `${waits} waits for: drivebay trust`
      : suggestName(entry, [...paths, ...names], `devices: ${paths.join(', ')}`),
  };
}
