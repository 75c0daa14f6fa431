import { nameHoldsKey, nameOrHidden } from '../contract/secrets';
import type { DeviceTable } from '../devices/device-table';
import { isKeyForModel } from '../devices/key-for-model';
import type { LlmDevice } from '../devices/device';
import type { HttpError } from '../serving/http-error';
import { AllowedDevices } from './clients/allowed-devices';
import type { ErrorCode } from './error-codes';
import { invalidRequest } from './read-fields';
import { CallError, gatewayError } from './to-http-error';

export interface ModelRoute {
  device: LlmDevice;
  /** Absent: the provider's default model. */
  model?: string;
}

/** Finds the device for the name of a model, by the rules of docs/gateway.md in their order. */
export function routeModel(requested: string, devices: DeviceTable, defaultProvider: string | undefined): ModelRoute {
  const route =
    routeByName(requested, devices) ??
    routeByPattern(requested, devices) ??
    routeToDefault(requested, devices, defaultProvider);
  if (!route) throw modelNotFound(requested, devices);
  return route;
}

/**
 * The same for the wires whose clients may name no model, or join a provider and a model with a slash. The slash counts
 * when nothing else matches, before the default provider.
 */
export function routeFreely(requested: string, devices: DeviceTable, defaultProvider: string | undefined): ModelRoute {
  if (requested === '') {
    const device = defaultProvider === undefined ? undefined : devices.llm(defaultProvider);
    if (device) return { device };
    throw invalidRequest('model: found nothing, expected the name of a model; there is no default_provider', 'model');
  }
  const slash = requested.indexOf('/');
  const route =
    routeByName(requested, devices) ??
    (slash > 0 ? routeByPrefix(requested, slash, devices) : undefined) ??
    routeByPattern(requested, devices) ??
    routeToDefault(requested, devices, defaultProvider);
  if (!route) throw modelNotFound(requested, devices);
  return route;
}

/** By the name of a provider or a route, `<provider>:<model>`, or the default model of one; undefined where none fits. */
export function routeByName(requested: string, devices: DeviceTable): ModelRoute | undefined {
  const named = devices.llm(requested);
  if (named) return { device: named };

  const colon = requested.indexOf(':');
  const prefixed = colon > 0 ? routeByPrefix(requested, colon, devices) : undefined;
  if (prefixed) return prefixed;

  const owner = devices.llms().find((device) => device.defaultModel === requested);
  return owner && { device: owner, model: requested };
}

function routeByPrefix(requested: string, at: number, devices: DeviceTable): ModelRoute | undefined {
  const device = devices.llm(requested.slice(0, at));
  // Without a text behind the separator, the provider chooses the model.
  return device && { device, model: requested.slice(at + 1) || undefined };
}

function routeByPattern(requested: string, devices: DeviceTable): ModelRoute | undefined {
  const device = devices.byPattern(requested);
  return device && { device, model: requested };
}

function routeToDefault(requested: string, devices: DeviceTable, name: string | undefined): ModelRoute | undefined {
  const device = name === undefined ? undefined : devices.llm(name);
  return device && { device, model: requested };
}

/** Whether a call failed because no provider has the model, and no part of its name is that of a provider. */
export function isUnserved(requested: string, failure: HttpError, devices: DeviceTable): boolean {
  const isMissing =
    failure.code === 'model_not_found' || (failure as Partial<CallError>).failure?.kind === 'model_unavailable';
  return isMissing && requested !== '' && !routeByName(requested, devices);
}

/** Throws as for an unknown model where a key stands in the place of one. */
export function refuseKey(requested: string, devices: DeviceTable): void {
  const further = devices instanceof AllowedDevices ? devices.names() : [];
  if (isKeyForModel(requested, devices, further)) throw modelNotFound(requested, devices);
}

/** For a client with a list of what is allowed, nothing tells whether the rest exists. */
export function modelNotFound(requested: string, devices: DeviceTable, param = 'model'): HttpError {
  if (devices instanceof AllowedDevices) return notAllowed(requested, devices, param);
  const names = devices.llms().map(({ name }) => name);
  const available = names.length > 0 ? `available: ${names.join(', ')}` : 'no provider is configured';
  const advice = meantWithColon(requested, devices) ?? available;
  return gatewayError('model_not_found', `no provider for model ${nameOrHidden(requested)}; ${advice}`, {
    param,
  });
}

/** The failure of a default provider that has no `provider/model`, with the name that would have reached the other one. */
export function adviseColon(error: HttpError, requested: string, devices: DeviceTable): HttpError {
  if (!(error instanceof CallError)) return error;
  const meant = meantWithColon(requested, devices);
  if (meant === undefined) return error;
  const { code, message, failure, provider, mayRetry, attempts } = error;
  return new CallError(code as ErrorCode, `${message}; ${meant}`, failure, provider, mayRetry, attempts);
}

function meantWithColon(requested: string, devices: DeviceTable): string | undefined {
  const spelled = nameHoldsKey(requested) ? undefined : withColon(requested, devices);
  return spelled && `did you mean "${spelled}"?`;
}

/** `provider/model`, as other gateways write it, in the spelling of this one. */
export function withColon(requested: string, devices: DeviceTable): string | undefined {
  const slash = requested.indexOf('/');
  const route = slash > 0 ? routeByPrefix(requested, slash, devices) : undefined;
  if (!route || (devices instanceof AllowedDevices && !devices.allows(route.device, route.model))) return undefined;
  return `${route.device.name}:${requested.slice(slash + 1)}`;
}

/** Backends take more models than the list has. */
export function modelNotListed(requested: string, devices: DeviceTable, { device, model }: ModelRoute): HttpError {
  if (devices instanceof AllowedDevices && !devices.allows(device, model))
    return notAllowed(requested, devices, 'model');
  const message = `the list of models does not have ${nameOrHidden(requested)}; a request for it goes to "${device.name}"`;
  return gatewayError('model_not_found', message, { param: 'model' });
}

function notAllowed(requested: string, devices: AllowedDevices, param: string): HttpError {
  const names = devices.names();
  const available = names.length > 0 ? `available: ${names.join(', ')}` : 'nothing is available for it';
  const advice = meantWithColon(requested, devices) ?? available;
  const message = `client "${devices.client}" may not ask for model ${nameOrHidden(requested)}; ${advice}`;
  return gatewayError('model_not_allowed', message, { param });
}
