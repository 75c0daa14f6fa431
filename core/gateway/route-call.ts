import type { Dialect, DialectCall } from './dialect';
import type { GatewayOptions } from './gateway-options';
import type { ModelRoute } from './route-model';

/** Undefined: no device has the model, and the call needs none. Throws an HttpError `model_not_found`. */
export function routeCall(
  dialect: Dialect,
  call: DialectCall,
  { devices, defaultProvider }: Pick<GatewayOptions, 'devices' | 'defaultProvider'>,
): ModelRoute | undefined {
  try {
    return dialect.route(call.model, devices, defaultProvider);
  } catch (error) {
    if (call.runUnrouted) return undefined;
    throw error;
  }
}
