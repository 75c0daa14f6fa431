import type { IncomingMessage } from 'node:http';
import type { LlmDevice } from '../devices/device';

/** A name that clients can ask for, with what stands behind it. */
export interface ModelEntry {
  /** `<provider>` or `<provider>:<model>`. */
  id: string;
  /** When the gateway started, in seconds since the epoch. */
  created: number;
  device: LlmDevice;
  /** Undefined for the bare name of a provider. */
  model: string | undefined;
}

/** How a dialect spells `GET /v1/models` and `GET /v1/models/{id}`. */
export interface ModelsForm {
  /** Where the list is as well, besides `/v1/models`. A request there is always answered in this form. */
  readonly paths: readonly string[];
  /** Further names of the dialect for entries of the list. `GET /v1/models/{id}` finds them, too. */
  more?(entries: readonly ModelEntry[]): readonly ModelEntry[];
  list(entries: readonly ModelEntry[], request: IncomingMessage): object;
  entry(entry: ModelEntry): object;
}

/** What a model may take besides texts. */
const ABILITIES = ['tools', 'images', 'audio', 'files'] as const;

/** What an entry can be asked for, as far as the driver and the configuration tell: no list of all models exists. */
export function capabilitiesOf({ device, model }: ModelEntry): string[] {
  const { capabilities, defaultModel, embeddingModel } = device;
  if (model !== undefined && model === embeddingModel && model !== defaultModel) return ['embeddings'];
  // Under its bare name a provider needs a model of its own for embeddings.
  const embeds = capabilities.embeddings && (model !== undefined || embeddingModel !== undefined);
  return ['chat', ...ABILITIES.filter((ability) => capabilities[ability]), ...(embeds ? ['embeddings'] : [])];
}
