import type { ModelEntry } from './models-form';

/** What a model may take besides texts. */
const ABILITIES = ['tools', 'images', 'audio', 'files'] as const;

/** What an entry can be asked for, as far as the driver and the configuration tell: nobody knows every model. */
export function capabilitiesOf({ device, model }: ModelEntry): string[] {
  const { capabilities, defaultModel, embeddingModel } = device;
  if (model !== undefined && model === embeddingModel && model !== defaultModel) return ['embeddings'];
  // Under its bare name a provider needs a model of its own for embeddings.
  const embeds = capabilities.embeddings && (model !== undefined || embeddingModel !== undefined);
  return ['chat', ...ABILITIES.filter((ability) => capabilities[ability]), ...(embeds ? ['embeddings'] : [])];
}
