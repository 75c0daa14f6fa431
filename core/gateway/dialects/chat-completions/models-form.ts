import { productName } from '../../../package';
import { capabilitiesOf, type ModelEntry, type ModelsForm } from '../../models-form';

export const modelsForm: ModelsForm = {
  paths: [],
  list: (entries) => ({ object: 'list', data: entries.map(toWire) }),
  entry: toWire,
};

function toWire(entry: ModelEntry) {
  const { id, created, device } = entry;
  const owner = device.route ? productName : device.name;
  const facts = { id, object: 'model', created, owned_by: owner, capabilities: capabilitiesOf(entry) };
  const rest = device.restOf(entry.model);
  return rest ? { ...facts, rests_until: new Date(rest.until).toISOString(), rests_after: rest.kind } : facts;
}
