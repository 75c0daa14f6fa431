import type { DeviceTable } from '../../../devices/device-table';
import { HttpError } from '../../../serving/http-error';
import { type ModelRoute, routeByName, routeFreely } from '../../route-model';
import { gatewayError } from '../../to-http-error';
import { FAMILY, MODEL_VARIABLES, SHOWN_PREFIX } from './vendor-words';

/**
 * Finds the device for the name of a model. Programs of this wire ask for models of its vendor by themselves. Where those
 * fall to a default provider that has other models, it answers with its own default model.
 */
export function routeMessage(requested: string, devices: DeviceTable, defaultProvider: string | undefined): ModelRoute {
  if (requested.startsWith(SHOWN_PREFIX)) {
    const listed = routeByName(requested.slice(SHOWN_PREFIX.length), devices);
    if (listed) return listed;
  }
  const route = routeOrExplain(requested, devices, defaultProvider);
  const { device, model } = route;
  const isFallback = model === requested && FAMILY.test(requested) && !routeByName(requested, devices);
  const hasOthers = device.defaultModel !== undefined && !FAMILY.test(device.defaultModel);
  return isFallback && hasOthers ? { device } : route;
}

const UNROUTED = ['model_not_found', 'model_not_allowed'] as const;

function routeOrExplain(requested: string, devices: DeviceTable, defaultProvider: string | undefined): ModelRoute {
  try {
    return routeFreely(requested, devices, defaultProvider);
  } catch (error) {
    const code = error instanceof HttpError ? UNROUTED.find((each) => each === error.code) : undefined;
    if (!(error instanceof HttpError) || !code) throw error;
    throw gatewayError(code, `${error.message}; ${MODEL_VARIABLES}`, { param: error.param });
  }
}
