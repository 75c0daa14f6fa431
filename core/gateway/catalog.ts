import { waitAtMost } from '../contract/wait-at-most';
import type { DeviceTable } from '../devices/device-table';
import type { LlmDevice } from '../devices/device';
import { AllowedDevices } from './clients/allowed-devices';
import type { ModelEntry } from './models-form';
import { OfferedModels } from './offered-models';
import { type ModelRoute, modelNotListed } from './route-model';

/** How long a list waits for providers that were offline, and for lists of models; slower ones are in the next list. */
const REFRESH_MS = 1_000;

/** The names that clients can ask for. */
export class Catalog {
  private readonly offered = new OfferedModels();

  constructor(private readonly created: number) {}

  /** Those of the providers that are not offline, after a look at the ones that were. */
  async online(devices: DeviceTable): Promise<ModelEntry[]> {
    await this.look(devices);
    const online = devices.llms().filter(({ health }) => health.state !== 'offline');
    return online.flatMap((device) => this.entriesOf(device, devices));
  }

  /**
   * The entry of this id, among all and those that `more` adds. Throws an HttpError `model_not_found`. It says where a request for
   * the id goes, by `route`.
   */
  async find(
    id: string,
    devices: DeviceTable,
    more: (entries: ModelEntry[]) => readonly ModelEntry[],
    route: () => ModelRoute,
  ): Promise<ModelEntry> {
    const find = () => {
      const entries = devices.llms().flatMap((device) => this.entriesOf(device, devices));
      return [...entries, ...more(entries)].find((each) => each.id === id);
    };
    const known = find();
    if (known) return known;
    await this.look(devices);
    const entry = find();
    if (!entry) throw modelNotListed(id, devices, route());
    return entry;
  }

  private async look(devices: DeviceTable): Promise<void> {
    const looks = devices.llms().map((device) => Promise.all([device.refresh(), this.offered.refresh(device)]));
    await waitAtMost(REFRESH_MS, Promise.all(looks));
  }

  /** The provider under its bare name, with the models that its configuration names, and with each model that it offers. */
  private entriesOf(device: LlmDevice, devices: DeviceTable): ModelEntry[] {
    const { name } = device;
    const { created } = this;
    const allowed = devices instanceof AllowedDevices ? devices : undefined;
    const models = allowed?.modelsOf(device) ?? this.modelsOf(device);
    const names = [undefined, ...models].filter((model) => allowed?.allows(device, model) ?? true);
    return names.map((model) => ({
      id: model === undefined ? name : `${name}:${model}`,
      created,
      device,
      model,
    }));
  }

  private modelsOf(device: LlmDevice): ReadonlySet<string> {
    // The models of a route are those of its targets, which have entries of their own.
    if (device.route) return new Set();
    const { defaultModel = '', embeddingModel = '' } = device;
    return new Set([defaultModel, embeddingModel, ...this.offered.namesOf(device)].filter(Boolean));
  }
}
