/** Names that other programs use for a field. A guess by spelling would find another field. */
const NAMES: Readonly<Record<string, readonly string[]>> = {
  base_url: ['url', 'api_base', 'endpoint', 'host'],
  default_model: ['model', 'model_name'],
};

/** The field that a name of another program means. */
export function fieldFor(name: string, fields: readonly string[]): string | undefined {
  return Object.keys(NAMES).find((field) => fields.includes(field) && NAMES[field]!.includes(name));
}
