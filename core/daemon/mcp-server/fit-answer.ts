/** In characters. A longer result is of no use to a model, and a client may refuse it. */
const LONGEST = 1024 * 1024;

/** Cuts an answer that is too long for a result of a tool. `share`: the number of answers in one result. */
export function fitAnswer(text: string, share = 1): { text: string; truncated: boolean } {
  const room = Math.floor(LONGEST / share);
  if (text.length <= room) return { text, truncated: false };
  const note = `\n\n[drivebay: cut after ${room} of ${text.length} characters]`;
  return { text: text.slice(0, room) + note, truncated: true };
}
