import type { IncomingMessage } from 'node:http';
import type { ClientEntry } from '../../config/clients';
import type { DeviceTable } from '../../devices/device-table';
import { AllowedDevices } from './allowed-devices';

/** A client of the gateway that has sent its key. */
export class GatewayClient {
  readonly name: string;
  /** Whether it may ask for some names only. */
  readonly isRestricted: boolean;
  private allowed: { in: DeviceTable; devices: AllowedDevices } | undefined;

  constructor(readonly entry: ClientEntry) {
    this.name = entry.name;
    this.isRestricted = entry.allow !== undefined;
  }

  /** What it may ask for of all devices; undefined: everything. */
  allowedIn(all: DeviceTable): AllowedDevices | undefined {
    const { name, allow } = this.entry;
    if (!allow) return undefined;
    if (this.allowed?.in !== all) this.allowed = { in: all, devices: new AllowedDevices(name, allow, all) };
    return this.allowed.devices;
  }
}

/** Who sent the requests that Express serves: its handlers get no more than the request. */
const senders = new WeakMap<IncomingMessage, GatewayClient>();

export function noteSender(request: IncomingMessage, client: GatewayClient): void {
  senders.set(request, client);
}

/** Undefined for the owner of the gateway, and where no client is configured. */
export function senderOf(request: IncomingMessage): GatewayClient | undefined {
  return senders.get(request);
}
