/**
 * JSON without halves of characters, which a text has that was cut in the middle of one. Programs that are not written in
 * JavaScript cannot read them: they pass over the whole line, and never answer it.
 */
export function wellFormed(json: string): string {
  if (!json.includes('\\ud')) return json;
  // `JSON.stringify` spells nothing else so. A backslash of the text itself is spelled as two.
  return json.replace(/\\(?:ud[0-9a-f]{3}|.)/g, (escape) => (escape.startsWith('\\ud') ? '\\ufffd' : escape));
}
