import { z } from 'zod';

const made = new Map<string, z.ZodType>();
/** More than all plug-ins of a machine declare. An author who edits a manifest under a running daemon starts anew then. */
const MADE_AT_MOST = 2_000;

/**
 * The zod schema of a JSON Schema in a manifest, made once: zod keeps facts about schemas in tables that grow with each one made
 * and never shrink, and a reload reads every manifest again. Throws what zod throws for a schema that it cannot use.
 */
export function zodOf(schema: Record<string, unknown>): z.ZodType {
  const text = JSON.stringify(schema);
  let known = made.get(text);
  if (!known) {
    known = z.fromJSONSchema(schema);
    if (made.size >= MADE_AT_MOST) made.clear();
    made.set(text, known);
  }
  return known;
}

/** Whether there is a value, and it fits a JSON Schema of a manifest. */
export function fits(schema: Record<string, unknown>, value: unknown): boolean {
  return value !== undefined && zodOf(schema).safeParse(value).success;
}
