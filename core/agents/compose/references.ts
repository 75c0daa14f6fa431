/** `{{name}}`, with a backslash before it where the text itself is meant. */
const REFERENCE = /(\\?)\{\{\s*([A-Za-z0-9][A-Za-z0-9._-]*)\s*\}\}/g;

/** The agents that an intent refers to. */
export function referencesIn(intent: string): string[] {
  return [...intent.matchAll(REFERENCE)].filter(([, escape]) => !escape).map(([, , name]) => name!);
}

/** Puts the answers in. What stands in an answer is left as it is. */
export function fillIn(intent: string, answers: ReadonlyMap<string, string>): string {
  return intent.replace(REFERENCE, (whole, escape: string, name: string) =>
    escape ? whole.slice(1) : (answers.get(name) ?? whole),
  );
}
