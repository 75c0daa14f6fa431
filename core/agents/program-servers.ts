import type { AgentToolServer, Workspace } from '../contract/api';
import { makeLogger } from '../contract/make-logger';
import { messageOf } from '../errors';
import type { DeviceServer, Offered } from './device-server';
import type { ProcessRun } from './process-run';
import type { AllowedServer } from './tool-box';

/** Some programs know a server of this product by its name already. */
const DEVICES = 'drivebay_devices';
/** A device may wait for a model, or for an agent. */
const DEVICE_TIMEOUT_MS = 600_000;

/** What the program of an agent has in one step, besides its own tools: the servers of the user, and one of ours for devices. */
export class ProgramServers {
  readonly workspace: Pick<Workspace, 'toolServers'>;
  private server: DeviceServer | undefined;
  private reach: Promise<AgentToolServer['reach']> | undefined;

  constructor(
    private readonly allowed: readonly AllowedServer[],
    private readonly devices: Offered,
    private readonly run: ProcessRun,
  ) {
    const hasTools = allowed.length > 0 || devices.tools.length > 0;
    this.workspace = hasTools ? { toolServers: () => this.list() } : {};
  }

  /** For the end of the step. Resolves when no call of a device goes on. */
  async close(): Promise<void> {
    await this.reach?.catch(() => undefined);
    await this.server?.close();
  }

  /** The program starts the servers of the user itself, after this. */
  private async list(): Promise<AgentToolServer[]> {
    const { allowed, run } = this;
    const names = new Set<string>();
    // In turn: which of two servers has the plain name must not depend on which of them is found faster.
    const named = allowed.map((each) => ({ ...each, name: nameFor(each.server.name, names) }));
    const found = await Promise.all([...named.map((each) => toProgram(each, run)), this.ofDevices(names)]);
    return found.filter((server) => server !== undefined);
  }

  private async ofDevices(names: Set<string>): Promise<AgentToolServer | undefined> {
    if (this.devices.tools.length === 0) return undefined;
    try {
      this.reach ??= this.open();
      return { name: nameFor(DEVICES, names), reach: await this.reach, timeoutMs: DEVICE_TIMEOUT_MS };
    } catch (error) {
      this.run.warn({ message: `the devices are left out: ${messageOf(error)}` });
      return undefined;
    }
  }

  private async open(): Promise<AgentToolServer['reach']> {
    // Loaded when the program of an agent may call a device.
    const { DeviceServer } = await import('./device-server');
    this.server = new DeviceServer(this.devices);
    return this.server.open();
  }
}

async function toProgram(
  { name, server, only }: AllowedServer & { name: string },
  run: ProcessRun,
): Promise<AgentToolServer | undefined> {
  try {
    const found = await server.reach(run.workingDirectory);
    if (!only) return { name, ...found };
    return { name, ...found, only: [...only.keys()], others: () => othersOf({ server, only }, run) };
  } catch (error) {
    run.leaveOut(server, error);
    return undefined;
  }
}

/** Starts the server for this question alone. The program starts it for itself. */
async function othersOf({ server, only }: AllowedServer, run: ProcessRun): Promise<string[]> {
  const seat = server.join({ workingDirectory: run.workingDirectory, log: makeLogger(() => undefined) });
  try {
    const tools = await seat.tools(run.signal);
    return tools.map(({ name }) => name).filter((name) => !only?.has(name));
  } finally {
    await seat.leave();
  }
}

/** Programs make `server__tool` of names. */
function nameFor(name: string, taken: Set<string>): string {
  const plain = name.replace(/[^A-Za-z0-9-]+/g, '_').replace(/^_|_$/g, '') || 'server';
  let unique = plain;
  for (let number = 2; taken.has(unique); number += 1) unique = `${plain}_${number}`;
  taken.add(unique);
  return unique;
}
