import { suggestProvider } from '../../config/suggest-name';
import { UsageError } from '../../errors';
import type { LlmDevice } from '../../devices/device';

/** The device of the provider that an argument names. */
export function chooseDevice(devices: readonly LlmDevice[], name: string): LlmDevice {
  const found = devices.find((device) => device.name === name);
  if (found) return found;
  const names = devices.map((device) => device.name);
  throw new UsageError(`there is no provider "${name}"`, suggestProvider(name, names));
}
