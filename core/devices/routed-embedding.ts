import type { EmbeddingRequest } from '../contract/api';
import type { EmbeddingResult } from '../providers/embedding-turn';
import type { Lack } from '../providers/find-lack';
import type { DeviceCall } from './device';
import type { Candidate, RoutedCall } from './routed-call';

/** The request for vectors of a route. Nothing reaches the client before the whole answer. */
export class RoutedEmbedding implements RoutedCall<EmbeddingResult> {
  readonly hasBegun = false;

  constructor(
    private readonly request: EmbeddingRequest,
    private readonly caller: DeviceCall,
  ) {}

  lackOf({ device, model = device.embeddingModel }: Candidate): Lack | undefined {
    const { name, capabilities } = device;
    if (capabilities.embeddings && model !== undefined) return undefined;
    const why = capabilities.embeddings ? 'has no embedding_model' : 'makes no embeddings';
    return { param: 'model', kind: 'invalid_request', message: `provider "${name}" ${why}` };
  }

  ask({ device, model }: Candidate): Promise<EmbeddingResult> {
    return device.embed({ ...this.request, model }, this.caller);
  }
}
