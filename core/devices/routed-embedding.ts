import type { EmbeddingRequest } from '../contract/api';
import type { EmbeddingResult } from '../providers/embedding-turn';
import type { Lack } from '../providers/find-lack';
import type { DeviceCall, LlmDevice } from './device';
import type { Candidate, RoutedCall } from './routed-call';

/** The request for vectors of a route. Nothing reaches the client before the whole answer. */
export class RoutedEmbedding implements RoutedCall<EmbeddingResult> {
  readonly hasBegun = false;
  /** Whether some target has the model that is asked for. */
  private readonly isOffered: boolean;

  constructor(
    private readonly request: EmbeddingRequest,
    private readonly caller: DeviceCall,
    /** The devices whose model the route names. */
    private readonly named: ReadonlySet<LlmDevice>,
    candidates: readonly Candidate[],
  ) {
    this.isOffered = candidates.some(
      (candidate) => candidate.device.capabilities.embeddings && this.whyOther(candidate) === undefined,
    );
  }

  lackOf(candidate: Candidate): Lack | undefined {
    const { name, capabilities } = candidate.device;
    // Where no target is known to have the model, the client may know better: each one that makes embeddings is asked.
    const other = this.isOffered ? this.whyOther(candidate) : undefined;
    const why = capabilities.embeddings ? other : 'makes no embeddings';
    if (why === undefined) return undefined;
    return { param: 'model', kind: 'invalid_request', message: `provider "${name}" ${why}` };
  }

  /** Vectors of two models do not fit together, and some servers answer with their own model whatever they are asked for. */
  private whyOther({ device, model = device.embeddingModel }: Candidate): string | undefined {
    const { embeddingModel = model } = device;
    if (model === undefined) return 'has no embedding_model';
    if (embeddingModel === model || this.named.has(device)) return undefined;
    return `has another embedding_model; if it has "${model}", too, name it in the route: ${device.name}:${model}`;
  }

  ask({ device, model }: Candidate): Promise<EmbeddingResult> {
    return device.embed({ ...this.request, model }, this.caller);
  }
}
