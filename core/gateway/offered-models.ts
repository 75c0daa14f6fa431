import type { LlmDevice } from '../devices/device';

/** A list that is older is asked for again. */
const OLD_MS = 60_000;

interface KnownList {
  names: string[];
  askedAt: number;
  asked: Promise<void>;
}

/** The models of providers with `list_models`, as their backends listed them last. */
export class OfferedModels {
  private readonly known = new WeakMap<LlmDevice, KnownList>();

  namesOf(device: LlmDevice): readonly string[] {
    return this.known.get(device)?.names ?? [];
  }

  /** Asks a backend whose list is old. Never rejects: where there is no answer, the list stays as it was. */
  refresh(device: LlmDevice): Promise<void> {
    const known = this.known.get(device);
    if (!device.listModels) return Promise.resolve();
    if (known && Date.now() - known.askedAt < OLD_MS) return known.asked;
    const list: KnownList = { names: known?.names ?? [], askedAt: Date.now(), asked: Promise.resolve() };
    list.asked = device.models().then(
      (models = []) => void (list.names = models.map(({ name }) => name)),
      // The next request asks again.
      () => void (list.askedAt = 0),
    );
    this.known.set(device, list);
    return list.asked;
  }
}
