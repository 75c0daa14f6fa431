import { setTimeout as pause } from 'node:timers/promises';
import type { LlmDevice } from '../devices/device';
import type { Served } from './gateway-options';
import type { ModelEntry } from './models-form';
import { OfferedModels } from './offered-models';
import { modelNotFound } from './route-model';

/** How long a list waits for providers that were offline, and for lists of models; slower ones are in the next list. */
const REFRESH_MS = 1_000;

/** The names that clients can ask for. */
export class Catalog {
  private readonly offered = new OfferedModels();

  constructor(
    private readonly served: Pick<Served, 'devices'>,
    private readonly created: number,
  ) {}

  /** Those of the providers that are not offline, after a look at the ones that were. */
  async online(): Promise<ModelEntry[]> {
    await this.look();
    const online = this.served.devices.llms().filter(({ health }) => health.state !== 'offline');
    return online.flatMap((device) => this.entriesOf(device));
  }

  /** The entry of this id, among all and those that `more` adds. Throws an HttpError `model_not_found`. */
  async find(id: string, more: (entries: ModelEntry[]) => readonly ModelEntry[]): Promise<ModelEntry> {
    const find = () => {
      const entries = this.served.devices.llms().flatMap((device) => this.entriesOf(device));
      return [...entries, ...more(entries)].find((each) => each.id === id);
    };
    const known = find();
    if (known) return known;
    await this.look();
    const entry = find();
    if (!entry) throw modelNotFound(id, this.served.devices);
    return entry;
  }

  private async look(): Promise<void> {
    const looks = this.served.devices
      .llms()
      .map((device) => Promise.all([device.refresh(), this.offered.refresh(device)]));
    await Promise.race([Promise.all(looks), pause(REFRESH_MS, undefined, { ref: false })]);
  }

  /** The provider under its bare name, with the models that its configuration names, and with each model that it offers. */
  private entriesOf(device: LlmDevice): ModelEntry[] {
    const { name, defaultModel = '', embeddingModel = '' } = device;
    const { created } = this;
    // The models of a route are those of its targets, which have entries of their own.
    if (device.route) return [{ id: name, created, device, model: undefined }];
    const models = new Set([defaultModel, embeddingModel, ...this.offered.namesOf(device)].filter(Boolean));
    return [undefined, ...models].map((model) => ({
      id: model === undefined ? name : `${name}:${model}`,
      created,
      device,
      model,
    }));
  }
}
