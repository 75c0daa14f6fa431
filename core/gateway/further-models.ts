/** By its name, a field of a backend's own that may name models besides `model`: those to fall back to, or to choose from. */
const NAMES_MODELS = /model|fallback/i;

/** Takes away the fields that may name further models, and returns their names. */
export function takeFurtherModels(fields: Record<string, unknown>): string[] {
  const names = Object.keys(fields).filter((name) => name !== 'model' && NAMES_MODELS.test(name));
  for (const name of names) delete fields[name];
  return names;
}
