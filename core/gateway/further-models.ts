/** Fields such as `models` and `fallbacks`: they let a backend answer with another model than `model`. */
const NAMES_MODELS = /model|fallback/i;

/** Removes such fields, and returns their names. */
export function takeFurtherModels(fields: Record<string, unknown>): string[] {
  const names = Object.keys(fields).filter((name) => name !== 'model' && NAMES_MODELS.test(name));
  for (const name of names) delete fields[name];
  return names;
}
