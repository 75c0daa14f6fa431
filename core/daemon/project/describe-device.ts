import type { LlmDevice } from '../../devices/device';

/** A device as `devices --json` and the control API show it. */
export function describeDevice(device: LlmDevice) {
  const { path, kind, name, driver, driverKind, defaultModel, schema } = device;
  return { path, kind, name, driver, driverKind, model: defaultModel ?? null, schema };
}
