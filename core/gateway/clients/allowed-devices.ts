import { DeviceTable } from '../../devices/device-table';
import type { LlmDevice } from '../../devices/device';

/**
 * The devices that a client may ask for by name. Routing looks only here for the client, so that what it may not use looks
 * like what does not exist: in answers, lists and errors alike. A route may still ask providers that are not here.
 */
export class AllowedDevices extends DeviceTable {
  /** The only models of a device that the client may ask for. Absent: all of them. */
  private readonly models = new Map<string, Set<string>>();

  constructor(
    readonly client: string,
    allow: readonly string[],
    all: DeviceTable,
  ) {
    super();
    const wanted = new Set(allow);
    for (const entry of wanted) this.readModel(entry, wanted);
    const devices = new Set([...all.llms(), ...all.routes()]);
    for (const device of devices) if (wanted.has(device.name) || this.models.has(device.name)) this.register(device);
  }

  /** `PROVIDER:MODEL`. The bare name beside it allows every model. */
  private readModel(entry: string, wanted: ReadonlySet<string>): void {
    const colon = entry.indexOf(':');
    const name = entry.slice(0, colon);
    if (colon < 1 || wanted.has(name)) return;
    this.models.set(name, (this.models.get(name) ?? new Set()).add(entry.slice(colon + 1)));
  }

  /** `model`: undefined for the default model of the device. */
  allows({ name, defaultModel }: LlmDevice, model = defaultModel): boolean {
    const models = this.models.get(name);
    return !models || (model !== undefined && models.has(model));
  }

  /** The models of a device, where the client may ask for these only. */
  modelsOf({ name }: Pick<LlmDevice, 'name'>): ReadonlySet<string> | undefined {
    return this.models.get(name);
  }

  /** What the client can ask for, in words. */
  names(): string[] {
    return [...new Set([...this.llms(), ...this.routes()])].flatMap(({ name }) => {
      const models = this.models.get(name);
      return models ? [...models].map((model) => `${name}:${model}`) : [name];
    });
  }
}
