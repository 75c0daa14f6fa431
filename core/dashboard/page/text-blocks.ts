/** The marks that reverse the direction of a text: a model, or a text that it has read, could show words in a false order. */
const REVERSING = /[\u202a-\u202e\u2066-\u2069]/g;
/** A block of this length ends at its next line break. */
const BLOCK = 2_000;
/** A block of this length ends within a line, because the layout of a very long line takes seconds. */
const LONGEST = 20_000;

/**
 * A growing text in blocks that end at line breaks. Only the last block changes, so that each word of a long answer is as
 * cheap as in a short one.
 */
export class TextBlocks {
  readonly blocks: string[] = [];
  length = 0;

  constructor(text = '') {
    if (text !== '') this.append(text);
  }

  append(text: string): void {
    this.length += text.length;
    const rest = (this.blocks.pop() ?? '') + text.replace(REVERSING, '');
    let start = 0;
    while (rest.length - start > BLOCK) {
      const end = endOfBlock(rest, start);
      if (end === undefined) break;
      this.blocks.push(rest.slice(start, end));
      start = end;
    }
    this.blocks.push(rest.slice(start));
  }
}

/** Undefined: the last block may still grow. */
function endOfBlock(text: string, start: number): number | undefined {
  const lineBreak = text.indexOf('\n', start + BLOCK);
  const end = lineBreak < 0 ? text.length : lineBreak + 1;
  if (end - start > LONGEST) {
    const cut = start + LONGEST;
    // Does not split a surrogate pair.
    return /[\uD800-\uDBFF]/.test(text.charAt(cut - 1)) ? cut - 1 : cut;
  }
  // An empty last block would show as an empty line.
  return end === text.length ? undefined : end;
}
