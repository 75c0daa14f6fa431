import type { AgentProject } from '../../agents/agent-project';
import { DriverError } from '../../contract/driver-error';
import { DeviceTable } from '../../devices/device-table';
import { isLlm, type LlmDevice } from '../../devices/device';
import { UsageError } from '../../errors';
import type { AllowedDevices } from '../../gateway/clients/allowed-devices';
import { GatewayClient } from '../../gateway/clients/gateway-client';
import { whyTurnedAway } from '../../gateway/clients/turned-away';
import { type ModelRoute, modelNotFound, routeFreely } from '../../gateway/route-model';
import type { OpenedProject } from '../project/opened-project';
import type { Project } from '../project/project';
import { type ClientParts, deviceFor } from './client-device';

/** A project as a client of the gateway may use it: only what it may ask for is there, and every call is one of the client. */
export class ClientProject {
  private readonly client: GatewayClient;
  /** Undefined: everything. */
  readonly allowed: AllowedDevices | undefined;
  private readonly parts: ClientParts;

  /** Throws a UsageError where the current configuration has no such client. */
  constructor(
    private readonly project: Project,
    name: string,
  ) {
    const entry = project.clients?.find((each) => each.name === name);
    if (!entry) throw new UsageError(`the client "${name}" is no longer in the configuration`, 'see: drivebay clients');
    this.client = new GatewayClient(entry);
    this.allowed = this.client.allowedIn(project.devices);
    const admit = (device: LlmDevice, model: string | undefined) => this.admit(device, model);
    const note = (error: unknown) => this.noteRefusal(error);
    this.parts = { client: this.client, account: project.limits?.client(entry), admit, note };
  }

  /** The device for the name of a model. A name that is not allowed looks like one that does not exist. */
  route(name: string): ModelRoute {
    const { devices, defaultProvider } = this.project;
    const { allowed } = this;
    const standard = allowed && name !== '' ? undefined : defaultProvider;
    try {
      const { device, model } = routeFreely(name, allowed ?? devices, standard);
      if (allowed && !allowed.allows(device, model)) throw modelNotFound(name, allowed);
      return { device: deviceFor(device, this.parts), model };
    } catch (error) {
      this.noteRefusal(error);
      throw error;
    }
  }

  /** The same project, for its agents. Tool servers are those of the owner. */
  forAgents({ root, heldServers, userSkills, standard }: OpenedProject): AgentProject {
    const servers = this.project.devices.list().filter((device) => !isLlm(device));
    const llms = (this.allowed ?? this.project.devices).llms().map((device) => deviceFor(device, this.parts));
    const devices = new DeviceTable([...servers, ...llms]);
    const own = standard && devices.llm(standard.device.name);
    return { root, heldServers, userSkills, devices, standard: own && { ...standard, device: own } };
  }

  private admit(device: LlmDevice, model: string | undefined): void {
    if (!this.allowed || this.allowed.allows(device, model)) return;
    const name = model === undefined ? device.name : `${device.name}:${model}`;
    const refused = modelNotFound(name, this.allowed);
    this.noteRefusal(refused);
    throw new DriverError('invalid_request', refused.message);
  }

  private noteRefusal(error: unknown): void {
    const reason = whyTurnedAway(error);
    if (reason) this.project.limits?.refusals.note(this.client.name, reason);
  }
}
