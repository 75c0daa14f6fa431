/** From this length on a block ends at the next line break. */
const BLOCK = 2_000;

/**
 * A text that grows, kept in pieces that end at line breaks: only the last one changes, so that a long answer costs the
 * page no more per word than a short one.
 */
export class TextBlocks {
  readonly blocks: string[] = [];
  length = 0;

  append(text: string): void {
    this.length += text.length;
    const last = this.blocks.pop() ?? '';
    let rest = last + text;
    while (rest.length > BLOCK) {
      const end = rest.indexOf('\n', BLOCK);
      if (end < 0 || end === rest.length - 1) break;
      this.blocks.push(rest.slice(0, end + 1));
      rest = rest.slice(end + 1);
    }
    this.blocks.push(rest);
  }
}
