import { UsageError } from '../../errors';
import type { LaunchClient } from '../../plugins/clients';
import { shellWords } from '../../shell-words';

const DASHES = '--';

/** Commander drops the first `--`. With a second one, the command can tell which words stood behind it. */
export function keepDashes(words: readonly string[]): string[] {
  const at = words.indexOf(DASHES);
  return at < 0 ? [...words] : words.toSpliced(at, 0, DASHES);
}

/** The name of the program may stand behind the dashes, too: then all words after it are for the program. */
export function nameBehind(name: string | undefined, words: readonly string[]): [string | undefined, string[]] {
  if (name !== DASHES) return [name, [...words]];
  const [behind, ...others] = words;
  return [behind, [DASHES, ...others]];
}

/** The words for the program, of those that keepDashes has kept apart. A name before them may be meant for a provider: a UsageError. */
export function wordsBehind({ name, title }: Pick<LaunchClient, 'name' | 'title'>, words: readonly string[]): string[] {
  const at = words.indexOf(DASHES);
  const early = at < 0 ? words : words.slice(0, at);
  const behind = at < 0 ? [] : words.slice(at + 1);
  // No provider has a blank in its name: such a text is a question for the program.
  if (early.length === 0 || early.some((word) => word.includes(' '))) return [...early, ...behind];
  const command = ['drivebay', 'launch', name];
  const toProgram = `words for ${title} stand behind --: ${shellWords([...command, DASHES, ...early, ...behind])}`;
  const asProvider = `a provider is named by a flag: ${shellWords([...command, '--provider', early[0]!])}`;
  throw new UsageError(
    `too many words for 'launch', which takes the name of a program: ${shellWords(early)}`,
    early.length === 1 ? `${asProvider}; ${toProgram}` : toProgram,
  );
}
