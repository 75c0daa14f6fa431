import type { AllowedDevices } from './clients/allowed-devices';
import type { Dialect, DialectCall } from './dialect';
import type { GatewayOptions } from './gateway-options';
import { modelNotFound, type ModelRoute } from './route-model';

/**
 * Undefined: no device has the model, and the call needs none. Throws an HttpError `model_not_found`; for what a client may
 * not ask for `model_not_allowed`.
 */
export function routeCall(
  dialect: Dialect,
  call: DialectCall,
  { devices, defaultProvider }: Pick<GatewayOptions, 'devices' | 'defaultProvider'>,
  allowed: AllowedDevices | undefined,
): ModelRoute | undefined {
  try {
    return allowed
      ? routeAllowed(dialect, call, allowed, defaultProvider)
      : dialect.route(call.model, devices, defaultProvider);
  } catch (error) {
    if (call.runUnrouted) return undefined;
    throw error;
  }
}

/**
 * An unknown name does not go to the default provider: otherwise its answer would tell it from the name of a provider that
 * the client may not use. A request without a model means the default provider.
 */
function routeAllowed(
  dialect: Dialect,
  call: DialectCall,
  allowed: AllowedDevices,
  defaultProvider: string | undefined,
): ModelRoute {
  const { model } = call;
  const route = dialect.route(model, allowed, model === '' ? defaultProvider : undefined);
  if (!allowed.allows(route.device, route.model)) throw modelNotFound(model, allowed);
  const further = allowed.modelsOf(route.device) ? call.keepToModel?.() : undefined;
  const refused = further?.find((named) => !allowed.allows(route.device, named.model));
  if (refused) throw modelNotFound(refused.model, allowed, refused.param);
  return route;
}
