/** Whether a value is an object with fields, as in JSON: no list, no null. */
export function isFields(value: unknown): value is Record<string, unknown> {
  return typeof value === 'object' && value !== null && !Array.isArray(value);
}
