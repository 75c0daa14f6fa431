/** Control characters of both sets, line separators, and the marks that reverse the direction of a text. */
const UNPRINTABLE = /[\x00-\x1f\x7f-\x9f\u2028\u2029\u202a-\u202e\u2066-\u2069]+/g;

/**
 * One line that does nothing to a terminal: names, reasons and messages come from backends and plug-ins, and none may
 * move the cursor, set a title or forge a further line.
 */
export function printable(text: string): string {
  return text.replace(UNPRINTABLE, ' ');
}

/** All of them but the line break, the tab, and the colours that we set ourselves. */
const UNSAFE = /(?!\x1b\[(?:0|2|22|3[123]|39)m)[\x00-\x08\x0b-\x1f\x7f-\x9f\u202a-\u202e\u2066-\u2069]+/g;

/** A text of several lines, with our colours. What it names may come from a cloned project, down to the name of a folder. */
export function harmless(text: string): string {
  return text.replace(UNSAFE, ' ');
}

/** What a model says: without any of them, in place of which nothing stands. */
export function plainAnswer(text: string): string {
  return text.replace(/[\x00-\x08\x0b-\x1f\x7f-\x9f\u202a-\u202e\u2066-\u2069]/g, '');
}
