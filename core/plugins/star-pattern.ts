/** Matches a whole text; `*` stands for any text. No expression does it: for a long text of a client it could take long. */
export function starPattern(pattern: string): Pick<RegExp, 'test'> {
  const [first = '', ...parts] = pattern.split('*');
  const last = parts.pop();
  return { test: (text) => (last === undefined ? text === pattern : fits(text, first, parts, last)) };
}

/** Whether a text has these parts in order, the first at its start and the last at its end. */
function fits(text: string, first: string, parts: readonly string[], last: string): boolean {
  if (!text.startsWith(first)) return false;
  let end = first.length;
  for (const part of parts) {
    const start = text.indexOf(part, end);
    if (start < 0) return false;
    end = start + part.length;
  }
  return text.length - last.length >= end && text.endsWith(last);
}
