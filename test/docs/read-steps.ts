/** What a page tells its reader to do, in order. */
export type Step =
  | { do: 'write'; file: string; content: string }
  | { do: 'change'; file: string; from: string; to: string }
  | { do: 'run'; script: string; output?: string };

/**
 * Reads the code blocks of a page: `sh` is run, `text` after it is what that prints, and every other block is the file that
 * the paragraph before it names first, in backticks, or a part of it that "becomes" another. Throws on a block that is
 * none of these: nobody would ever have tried it.
 */
export function readSteps(page: string): Step[] {
  const steps: Step[] = [];
  let end = 0;
  for (const match of page.matchAll(/^```(\w*)\n([^]*?)^```$/gm)) {
    const [whole, language = '', content = ''] = match;
    const before = page.slice(end, match.index);
    end = match.index + whole.length;
    const last = steps.at(-1);
    if (language === 'sh') steps.push({ do: 'run', script: content });
    else if (language === 'text' && last?.do === 'run' && before.trim() === '') last.output = content;
    else if (before.trim() === 'becomes' && last?.do === 'write')
      steps.splice(-1, 1, { do: 'change', file: last.file, from: last.content, to: content });
    else steps.push({ do: 'write', file: fileIn(before, content), content });
  }
  return steps;
}

function fileIn(before: string, content: string): string {
  const paragraph = before.trim().split('\n\n').at(-1) ?? '';
  const file = [...paragraph.matchAll(/`([\w./-]+\.\w+)`/g)].map((match) => match[1]!).find(isFile);
  if (file === undefined) throw new Error(`nothing says what this block is:\n${content}`);
  return file;
}

const isFile = (name: string) => /\.(json|mjs|js|yaml|md)$/.test(name);

/** Whether an output is as the page has it: `...` stands for anything. */
export function toPattern(expected: string): RegExp {
  const escaped = expected.trim().replace(/[\\^$*+?()[\]{}|.]/g, '\\$&');
  return new RegExp(`^${escaped.replaceAll('\\.\\.\\.', '[^]*?')}$`);
}
