import type { Command } from 'commander';
import { printable } from '../../log/printable';
import { printAnswer } from '../terminal/print';
import { suggest } from './suggest';

/**
 * `__complete`: what the scripts of `completion` ask. The first line says whether the shell shall offer `files` or
 * `folders`, or the `words` that follow, each with a tab and what it is. Nothing is ever said on stderr: it would get into
 * the line that is typed.
 */
export async function complete(program: Command, words: readonly string[]): Promise<void> {
  const found = await suggest(program, words.slice(0, -1), words.at(-1) ?? '').catch(() => []);
  if (!Array.isArray(found)) return printAnswer(found);
  const lines = found.map(({ value, about }) => (about ? `${oneLine(value)}\t${oneLine(about)}` : oneLine(value)));
  printAnswer(['words', ...lines].join('\n'));
}

function oneLine(text: string): string {
  return printable(text).replace(/\s+/g, ' ').trim();
}
