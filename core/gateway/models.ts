import type { DeviceTable } from '../devices/device-table';
import type { LlmDevice } from '../devices/device';

export interface ModelEntry {
  id: string;
  object: 'model';
  created: number;
  owned_by: string;
}

/** How long the list waits for a new look at providers that were offline; slower ones are in the next list. */
const REFRESH_MS = 1_000;

/** The entries of every provider that is not known to be offline. */
export async function listModels(devices: DeviceTable, startedAt: number): Promise<ModelEntry[]> {
  const all = devices.llms();
  let timer: NodeJS.Timeout | undefined;
  await Promise.race([
    Promise.all(all.map((device) => device.refresh())),
    new Promise((resolve) => (timer = setTimeout(resolve, REFRESH_MS))),
  ]);
  clearTimeout(timer);
  return all.filter(({ health }) => health.state !== 'offline').flatMap((device) => modelEntries(device, startedAt));
}

/** The provider under its bare name, and with its default model where it has one. */
export function modelEntries({ name, defaultModel }: LlmDevice, startedAt: number): ModelEntry[] {
  const ids = defaultModel === undefined ? [name] : [name, `${name}:${defaultModel}`];
  return ids.map((id) => ({ id, object: 'model', created: Math.floor(startedAt / 1000), owned_by: name }));
}
