import type { DeviceTable } from '../../../../devices/device-table';
import type { LlmDevice } from '../../../../devices/device';
import { invalidRequest } from '../../../read-fields';
import { type ModelRoute, routeModel } from '../../../route-model';

/** As for chats, and a provider's `embedding_model` leads to it. Refuses a provider that makes no embeddings. */
export function routeEmbedding(
  requested: string,
  devices: DeviceTable,
  defaultProvider: string | undefined,
): ModelRoute {
  const route = byEmbeddingModel(requested, devices) ?? routeModel(requested, devices, defaultProvider);
  const { name, capabilities, embeddingModel } = route.device;
  // Named here, because a client may be allowed single models only.
  if (capabilities.embeddings) return { ...route, model: route.model ?? embeddingModel };
  const able = devices.llms().filter((device) => device.capabilities.embeddings);
  const others = able.length === 0 ? 'and no other provider does' : `these do: ${able.map(spell).join(', ')}`;
  throw invalidRequest(`provider "${name}" makes no embeddings; ${others}`, 'model');
}

/** The name of a provider comes first, as everywhere. A route has that of a target, which its client need not know. */
function byEmbeddingModel(requested: string, devices: DeviceTable): ModelRoute | undefined {
  if (devices.llm(requested)) return undefined;
  const device = devices.llms().find(({ route, embeddingModel }) => !route && embeddingModel === requested);
  return device && { device, model: requested };
}

function spell({ name, embeddingModel }: LlmDevice): string {
  return embeddingModel === undefined ? `${name}:<model>` : name;
}
