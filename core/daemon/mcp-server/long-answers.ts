import { randomUUID } from 'node:crypto';

/** A model reads no longer result, and a client may refuse one. In characters. */
const LONGEST = 1024 * 1024;
const MOST_KEPT = 4;

export const ANSWER_URI = 'drivebay://answer/';

/** Cuts answers that are too long for a result of a tool. The last ones can be read whole as resources. */
export class LongAnswers {
  private readonly kept = new Map<string, string>();

  /** `share`: into how many parts one result is divided. */
  fit(text: string, share = 1): { text: string; truncated: boolean; uri?: string } {
    const room = Math.floor(LONGEST / share);
    if (text.length <= room) return { text, truncated: false };
    const id = randomUUID().slice(0, 8);
    this.kept.set(id, text);
    const [oldest] = this.kept.keys();
    if (this.kept.size > MOST_KEPT && oldest !== undefined) this.kept.delete(oldest);
    const uri = ANSWER_URI + id;
    const note = `\n\n[drivebay: cut after ${room} of ${text.length} characters; the whole answer is the resource ${uri}]`;
    return { text: text.slice(0, room) + note, truncated: true, uri };
  }

  find(id: string): string | undefined {
    return this.kept.get(id);
  }
}
