import type { Command } from 'commander';
import { didYouMean } from '../config/did-you-mean';
import { COMMAND_WORDS, VERBS } from './command-words';

/**
 * The commands that two words stand for: `check config`, `list providers`, `show models`. Undefined for an intent: `fix tests`, and
 * `update docs`, because nothing here updates.
 */
export function meantByTwo(words: readonly string[], program: Command): readonly string[] | undefined {
  const [first = '', second = '', ...further] = words;
  if (second === '' || further.length > 0) return undefined;
  const group = program.commands.find((each) => [second, `${second}s`].includes(each.name()));
  const meant = group && (isNameIn(group, first) ? first : verbIn(group, first));
  if (meant !== undefined) return [`${group!.name()} ${meant}`];
  const joined = program.commands.find((each) => isNameIn(each, `${first}-${second}`));
  if (joined) return [`${joined.name()} ${first}-${second}`];
  const named = COMMAND_WORDS.get(first.toLowerCase())?.filter((command) => command.split(' ').includes(second));
  if (named && named.length > 0) return named;
  return group?.name() === second && (first === 'open' || VERBS.get(first)?.includes('list')) ? [second] : undefined;
}

/** The commands that a verb without anything stands for: `delete`. */
export function meantByVerb(word: string, { commands }: Command): readonly string[] | undefined {
  const name = word.toLowerCase();
  const meant = VERBS.has(name) ? [name, ...VERBS.get(name)!] : [];
  const verb = meant.find((each) => commands.some((group) => isNameIn(group, each)));
  if (verb === undefined) return undefined;
  return commands.filter((group) => isNameIn(group, verb)).map((group) => `${group.name()} ${verb}`);
}

/** In other tools of this kind, `claude` alone starts that program. Only manifests know the names. */
export async function isProgram(word: string): Promise<boolean> {
  const [{ openPlugins }, { isCalled, listClients }, { pathsHere }] = await Promise.all([
    import('../daemon/project/open-plugins'),
    import('./launch/find-client'),
    import('./here'),
  ]);
  const clients = listClients(openPlugins(pathsHere(), { environment: process.env }));
  return clients.some((client) => isCalled(client, word));
}

/** The command of a group that a word stands for: `providers lst` and `providers ls` mean `status`. */
export function meantInGroup(word: string, group: Command): string | undefined {
  const verbs = [...VERBS.keys()].filter((verb) => verbIn(group, verb) !== undefined);
  const near = didYouMean(word, [...group.commands.map((each) => each.name()), ...verbs]);
  return near === undefined || isNameIn(group, near) ? near : verbIn(group, near);
}

function isNameIn(group: Command, word: string): boolean {
  return group.commands.some((each) => each.name() === word);
}

function verbIn(group: Command, word: string): string | undefined {
  return VERBS.get(word)?.find((verb) => isNameIn(group, verb));
}
