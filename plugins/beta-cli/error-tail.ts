/**
 * The CLI may end the text of an answer with the words of an error, as a paragraph of their own, and report success all the
 * same: `Error: T: [resource_exhausted] Error`.
 */
const ERROR = /^(?:Error: )?[A-Z]: (?:\[[a-z_]+\][^\n]*|WritableIterable is closed)$/;
/** In characters. */
const LONGEST_ERROR = 4_096;
/** What such a paragraph begins with, however little of it there is. */
const BEGINNING =
  /^(?:E|Er|Err|Erro|Error:?|(?:Error: ?)?(?:[A-Z](?::(?: (?:\[(?:[a-z_]*|[a-z_]+\][^\n]*)|W[A-Za-z ]*)?)?)?)?)$/;

/** The error that a text ends with. */
export function errorTail(text: string): string | undefined {
  const paragraph = lastParagraph(text.trimEnd(), true)?.text ?? '';
  return ERROR.test(paragraph) ? paragraph : undefined;
}

/**
 * How much of a text is certainly none of an error that is still to come. `isStart`: whether nothing of its paragraph has
 * been passed on.
 */
export function safeLength(text: string, isStart: boolean): number {
  const trimmed = text.trimEnd();
  const paragraph = lastParagraph(trimmed, isStart);
  if (paragraph && BEGINNING.test(paragraph.text)) return paragraph.at;
  // Two line feeds begin a paragraph.
  const end = text.indexOf('\n', trimmed.length);
  return end === -1 ? text.length : end;
}

/** Of a text that goes on for longer without a paragraph, nothing is an error. */
function lastParagraph(text: string, isStart: boolean): { text: string; at: number } | undefined {
  const from = Math.max(0, text.length - LONGEST_ERROR);
  const tail = text.slice(from);
  const at = tail.lastIndexOf('\n\n');
  if (at === -1) return isStart && from === 0 ? { text, at: 0 } : undefined;
  return { text: tail.slice(at + 2), at: from + at };
}
