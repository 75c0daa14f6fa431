/** From this length on a block ends at the next line break. */
const BLOCK = 2_000;
/** A block ends here even within a line: a browser takes seconds to lay out a line of millions of characters. */
const LONGEST = 20_000;

/**
 * A text that grows, kept in pieces that end at line breaks: only the last one changes, so that a long answer costs the
 * page no more per word than a short one.
 */
export class TextBlocks {
  readonly blocks: string[] = [];
  length = 0;

  constructor(text = '') {
    if (text !== '') this.append(text);
  }

  append(text: string): void {
    this.length += text.length;
    const rest = (this.blocks.pop() ?? '') + text;
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

/** Undefined: it may go on. */
function endOfBlock(text: string, start: number): number | undefined {
  const lineBreak = text.indexOf('\n', start + BLOCK);
  const end = lineBreak < 0 ? text.length : lineBreak + 1;
  if (end - start > LONGEST) {
    const cut = start + LONGEST;
    // Not between the halves of a character.
    return /[\uD800-\uDBFF]/.test(text.charAt(cut - 1)) ? cut - 1 : cut;
  }
  // A block that would be empty would be a line of its own.
  return end === text.length ? undefined : end;
}
