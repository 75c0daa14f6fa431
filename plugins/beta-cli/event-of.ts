/** What builds for Windows, and terminals, put before a line. */
const BEFORE = /^(?:\u001b\[[\d;]*[A-Za-z]|\s)*(?:std(?:out|err):)?\s*(?=\{)/;
const LONGEST_BEFORE = 100;

/** The event in a line that is not JSON by itself; undefined where there is none. */
export function eventOf(text: string): unknown {
  const before = BEFORE.exec(text.slice(0, LONGEST_BEFORE))?.[0];
  if (!before) return undefined;
  try {
    return JSON.parse(text.slice(before.length));
  } catch {
    return undefined;
  }
}
