import type { ModelEntry, ModelsForm } from '../../models-form';

export const modelsForm: ModelsForm = {
  paths: [],
  list: (entries) => ({ object: 'list', data: entries.map(toWire) }),
  entry: toWire,
};

function toWire({ id, created, device }: ModelEntry) {
  return { id, object: 'model', created, owned_by: device.name };
}
