import { type Fields, isFields } from '../fields';

/** Fields such as `models` and `fallbacks`: they let a backend answer with another model than `model`. */
const NAMES_MODELS = /model|fallback/i;

/** Removes such fields, and returns their names. */
export function takeFurtherModels(fields: Fields): string[] {
  const names = Object.keys(fields).filter((name) => name !== 'model' && NAMES_MODELS.test(name));
  for (const name of names) delete fields[name];
  return names;
}

/** A model that a tool or a plug-in of the backend is to ask. */
export interface FurtherModel {
  param: string;
  model: string;
}

/** Where a request holds things that the backend runs. Tools may come on the way of a conversation, too. */
const HOLDERS: ReadonlySet<string> = new Set(['tools', 'plugins', 'tool', 'definition', 'tool_changes']);
const LISTS: ReadonlySet<string> = new Set(['input', 'messages', 'content']);
/** The client itself runs these. Their schemas may speak of models. */
const CLIENTS_OWN: ReadonlySet<unknown> = new Set([undefined, null, 'function', 'custom', 'namespace']);

/** The models that tools of the backend are to ask, such as one that advises or draws. */
export function modelsOfTools(fields: Fields): FurtherModel[] {
  return Object.entries(fields).flatMap(([name, value]) => {
    if (HOLDERS.has(name)) return asList(name, value).flatMap(([path, item]) => inTool(item, path));
    if (!LISTS.has(name) || !Array.isArray(value)) return [];
    return asList(name, value).flatMap(([path, item]) => below(modelsOfTools(item), path));
  });
}

function inTool(item: Fields, path: string): FurtherModel[] {
  // A plug-in has an id and no type.
  const own = CLIENTS_OWN.has(item.type) && item.id === undefined ? [] : named(item, path);
  return [...own, ...below(modelsOfTools(item), path)];
}

/** At any depth: some tools have theirs among their parameters. */
function named(value: unknown, path: string): FurtherModel[] {
  if (!isFields(value)) return [];
  return Object.entries(value).flatMap(([name, inner]) => {
    const at = `${path}.${name}`;
    if (!/model/i.test(name)) return HOLDERS.has(name) ? [] : named(inner, at);
    const models = Array.isArray(inner) ? (inner as unknown[]) : [inner];
    return models.filter((model) => typeof model === 'string').map((model) => ({ param: at, model }));
  });
}

function below(found: FurtherModel[], path: string): FurtherModel[] {
  return found.map(({ param, model }) => ({ param: `${path}.${param}`, model }));
}

function asList(name: string, value: unknown): [path: string, item: Fields][] {
  const items = Array.isArray(value) ? (value as unknown[]) : [value];
  const paths = items.map((_, index) => (Array.isArray(value) ? `${name}[${index}]` : name));
  return items.flatMap((item, index) => (isFields(item) ? [[paths[index]!, item]] : []));
}
