import type { DeviceTable } from '../devices/device-table';
import type { LlmDevice } from '../devices/device';
import type { HttpError } from '../serving/http-error';
import { gatewayError } from './to-http-error';

export interface ModelRoute {
  device: LlmDevice;
  /** Absent: the provider's default model. */
  model?: string;
}

/** Finds the device for the name of a model, by the four rules of docs/gateway.md in their order. */
export function routeModel(requested: string, devices: DeviceTable, defaultProvider: string | undefined): ModelRoute {
  const named = devices.llm(requested);
  if (named) return { device: named };

  const colon = requested.indexOf(':');
  const prefixed = colon > 0 ? devices.llm(requested.slice(0, colon)) : undefined;
  // Without a text behind the colon, the provider chooses the model.
  if (prefixed && colon === requested.length - 1) return { device: prefixed };
  if (prefixed) return { device: prefixed, model: requested.slice(colon + 1) };

  const owner = devices.llms().find((device) => device.defaultModel === requested);
  if (owner) return { device: owner, model: requested };

  const fallback = defaultProvider === undefined ? undefined : devices.llm(defaultProvider);
  if (fallback) return { device: fallback, model: requested };
  throw modelNotFound(requested, devices);
}

export function modelNotFound(requested: string, devices: DeviceTable): HttpError {
  const names = devices.llms().map(({ name }) => name);
  const available = names.length > 0 ? `available: ${names.join(', ')}` : 'no provider is configured';
  return gatewayError('model_not_found', `no provider for model "${requested}"; ${available}`, {
    param: 'model',
  });
}
