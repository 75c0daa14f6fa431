import type { ModelEntry, ModelsForm } from '../../models-form';
import { PREFIX, SHOWN, SHOWN_PREFIX } from './vendor-words';

export const modelsForm: ModelsForm = {
  paths: ['/v1/v1/models', `${PREFIX}/models`],
  // The route of this dialect reads such a name as what is behind the prefix.
  more: (entries) =>
    entries.filter(({ id }) => !SHOWN.test(id)).map((entry) => ({ ...entry, id: SHOWN_PREFIX + entry.id })),
  list: (entries) => ({
    data: entries.map(toWire),
    has_more: false,
    first_id: entries[0]?.id ?? null,
    last_id: entries.at(-1)?.id ?? null,
  }),
  entry: toWire,
};

function toWire({ id, created, device, model }: ModelEntry) {
  const plain = model === undefined ? device.name : `${device.name}:${model}`;
  return { type: 'model', id, display_name: plain, created_at: new Date(created * 1000).toISOString() };
}
