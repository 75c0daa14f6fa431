import { didYouMean } from '../config/did-you-mean';
import type { ContentPart, Tool } from '../contract/api';
import { makeLogger } from '../contract/make-logger';
import type { DeviceCaller, LlmDevice } from '../devices/device';
import { toToolName } from '../devices/tool-names';
import type { ServerTool, ToolOutcome, ToolSeat, ToolServer } from '../devices/tool-server';
import type { Problem } from '../errors';
import type { ProcessRun } from './process-run';
import type { Offered } from './device-server';
import { ProgramServers } from './program-servers';
import type { AllowedServer, ToolBox } from './tool-box';

/** What a model called: where it is, why it may not run, and what runs it. */
export interface FoundTool {
  path: string;
  refusal(own: LlmDevice): string | undefined;
  call(input: unknown, caller: DeviceCaller, signal: AbortSignal): Promise<ToolOutcome>;
}

/** Lines of servers in the record of one process. */
const MOST_LINES = 500;

/** The tools of one process: the devices, and the tools of its servers, which start when a model is first offered them. */
export class ProcessTools {
  private readonly seats = new Map<ToolServer, ToolSeat>();
  private readonly failed = new Set<ToolServer>();
  /** A name never changes its meaning within a process, whatever servers do to their lists. */
  private readonly named = new Map<string, { server: ToolServer; tool: string }>();
  private readonly names = new Map<string, string>();
  private lines = 0;

  constructor(
    private readonly box: ToolBox,
    private readonly run: ProcessRun,
  ) {}

  /** For the program of an agent. `call` runs a device. */
  forProgram(own: LlmDevice, call: Offered['call']): ProgramServers {
    return new ProgramServers(this.box.servers, { tools: this.namedFor(own), call }, this.run);
  }

  /** The devices for a program. */
  namedFor(own: LlmDevice): Tool[] {
    return this.box.namedFor(own);
  }

  async offeredTo(own: LlmDevice): Promise<Tool[]> {
    const { servers } = this.box;
    const devices = this.box.offeredTo(own);
    if (servers.length === 0) return devices;
    const lists = await Promise.all(servers.map((allowed) => this.toolsOf(allowed)));
    // Named when all of them are there: which of two tools has the plain name must not depend on the faster server.
    const tools = lists.flatMap((list, index) => list.map((tool) => this.toTool(servers[index]!.server, tool)));
    return [...devices, ...tools];
  }

  find(name: string): FoundTool | undefined {
    const device = this.box.find(name);
    if (device) {
      return {
        path: device.path,
        refusal: (own) => this.box.refusal(device, own),
        call: async (input, caller) => ({ content: [say(await device.call(input, caller))], isError: false }),
      };
    }
    const found = this.named.get(name);
    const seat = found && this.seats.get(found.server);
    if (!found || !seat) return undefined;
    return {
      path: pathOf(found.server, found.tool),
      refusal: () => undefined,
      call: (input, _caller, signal) => seat.call(found.tool, input, signal),
    };
  }

  /** Gives every server up. Resolves when nothing is left of those that have no other user. */
  async close(): Promise<void> {
    await Promise.all([...this.seats.values()].map((seat) => seat.leave()));
  }

  private async toolsOf({ server, only }: AllowedServer): Promise<ServerTool[]> {
    if (this.failed.has(server)) return [];
    try {
      const tools = await this.seatAt(server).tools(this.run.signal);
      for (const problem of unknownTools(server, tools, only)) this.run.warn(problem);
      return tools.filter(({ name }) => !only || only.has(name));
    } catch (error) {
      this.run.signal.throwIfAborted();
      // No step waits for it again.
      this.failed.add(server);
      this.run.leaveOut(server, error);
      return [];
    }
  }

  private seatAt(server: ToolServer): ToolSeat {
    const { workingDirectory, pid, depth, client } = this.run;
    const user = { workingDirectory, pid, depth, client, log: this.logOf(server) };
    const seat = this.seats.get(server) ?? server.join(user);
    this.seats.set(server, seat);
    return seat;
  }

  private logOf({ name }: ToolServer) {
    return makeLogger((level, message) => {
      this.lines += 1;
      if (level === 'debug' || this.lines > MOST_LINES) return;
      this.run.add({ type: 'log', step: this.run.step, level, message: `${name}: ${message}` });
    });
  }

  private toTool(server: ToolServer, { name, description, parameters }: ServerTool): Tool {
    return { name: this.nameOf(server, name), ...(description !== undefined && { description }), parameters };
  }

  private nameOf(server: ToolServer, tool: string): string {
    const path = pathOf(server, tool);
    const known = this.names.get(path);
    if (known !== undefined) return known;
    const plain = toToolName(path.replace('/dev/', ''));
    const isTaken = this.named.has(plain) || this.box.find(plain) !== undefined;
    const name = isTaken ? toToolName(path.replace('/dev/', ''), path) : plain;
    this.names.set(path, name);
    this.named.set(name, { server, tool });
    return name;
  }
}

const pathOf = ({ path }: ToolServer, tool: string) => `${path}/${tool}`;
const say = (text: string): ContentPart => ({ type: 'text', text });

/** The entries of `allowed_tools` that name no tool of a server that runs. */
function unknownTools(
  server: ToolServer,
  tools: readonly ServerTool[],
  only: AllowedServer['only'] = new Map(),
): Problem[] {
  const names = tools.map(({ name }) => name);
  const unknown = [...only].filter(([name]) => !names.includes(name));
  return unknown.map(([name, place]) => {
    const near = didYouMean(name, names);
    return {
      message: `allowed_tools: ${server.path} has no tool ${JSON.stringify(name)}`,
      place,
      hint: near === undefined ? `see: drivebay mcp check ${server.name}` : `did you mean ${pathOf(server, near)}?`,
    };
  });
}
