import { capabilitiesOf } from '../../capabilities-of';
import type { ModelEntry, ModelsForm } from '../../models-form';

export const modelsForm: ModelsForm = {
  paths: [],
  list: (entries) => ({ object: 'list', data: entries.map(toWire) }),
  entry: toWire,
};

function toWire(entry: ModelEntry) {
  const { id, created, device } = entry;
  return { id, object: 'model', created, owned_by: device.name, capabilities: capabilitiesOf(entry) };
}
