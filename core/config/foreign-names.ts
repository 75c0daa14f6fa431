/** The names that other programs have for a field, where a guess by spelling leads elsewhere. */
const NAMES: Readonly<Record<string, readonly string[]>> = {
  base_url: ['url', 'api_base', 'endpoint', 'host'],
  default_model: ['model', 'model_name'],
};

/** Which of these fields is meant by a name that other programs use. */
export function fieldFor(name: string, fields: readonly string[]): string | undefined {
  return Object.keys(NAMES).find((field) => fields.includes(field) && NAMES[field]!.includes(name));
}
