import type { EmbeddingRequest } from '../contract/api';
import type { EmbeddingResult } from '../providers/embedding-turn';
import type { Lack } from '../providers/find-lack';
import type { DeviceCall, LlmDevice } from './device';
import type { Candidate, RoutedCall } from './routed-call';

/** The request for vectors of a route. Nothing reaches the client before the whole answer. */
export class RoutedEmbedding implements RoutedCall<EmbeddingResult> {
  readonly hasBegun = false;

  constructor(
    private readonly request: EmbeddingRequest,
    private readonly caller: DeviceCall,
    /** The devices whose model the route names. */
    private readonly named: ReadonlySet<LlmDevice>,
  ) {}

  lackOf(candidate: Candidate): Lack | undefined {
    const why = this.whyUnable(candidate);
    if (why === undefined) return undefined;
    return { param: 'model', kind: 'invalid_request', message: `provider "${candidate.device.name}" ${why}` };
  }

  /** Vectors of two models do not fit together, and some servers answer with their own model whatever they are asked for. */
  private whyUnable({ device, model = device.embeddingModel }: Candidate): string | undefined {
    const { capabilities, embeddingModel = model } = device;
    if (!capabilities.embeddings) return 'makes no embeddings';
    if (model === undefined) return 'has no embedding_model';
    if (embeddingModel === model || this.named.has(device)) return undefined;
    return `has another embedding_model; if it has "${model}", too, name it in the route: ${device.name}:${model}`;
  }

  ask({ device, model }: Candidate): Promise<EmbeddingResult> {
    return device.embed({ ...this.request, model }, this.caller);
  }
}
