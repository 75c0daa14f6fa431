import type { Command } from 'commander';
import { didYouMean } from '../config/did-you-mean';
import { COMMAND_WORDS, VERBS } from './command-words';

/**
 * The commands that exactly two words stand for: `check config`, `list providers`. Undefined for an intent: `fix tests`, and
 * `update docs`, because nothing here updates.
 */
export function meantByTwo(words: readonly string[], program: Command): readonly string[] | undefined {
  const [first = '', second = '', ...further] = words;
  if (second === '' || further.length > 0) return undefined;
  const group = program.commands.find((each) => each.name() === second);
  if (group?.commands.some((each) => each.name() === first)) return [`${second} ${first}`];
  const named = COMMAND_WORDS.get(first.toLowerCase())?.filter((command) => command.split(' ').includes(second));
  return named && named.length > 0 ? named : undefined;
}

/**
 * The commands that `add openai`, `use claude`, `set default groq` and `remove provider openai` stand for. Only plug-ins and
 * configuration know the names, and they are read for such words alone: `add tests` and `remove provider code` are intents.
 */
export async function meantByName(texts: readonly string[], program: Command): Promise<readonly string[] | undefined> {
  const words = texts.length === 1 ? texts[0]!.trim().split(/\s+/) : texts;
  const commands = words.length === 2 ? endedByName(words, program) : groupedWords(words, program);
  const name = words.at(-1)!;
  if (commands.length === 0 || !(await isName(name))) return undefined;
  return commands.map((command) => `${command} ${name}`);
}

function endedByName([first = '']: readonly string[], program: Command): string[] {
  if (first === 'use') return ['providers set-default', 'run --provider'];
  const takesDriver = (command: Command): boolean =>
    command.name() === first && command.registeredArguments[0]?.name() === 'driver';
  return program.commands.filter((each) => each.commands.some(takesDriver)).map((group) => `${group.name()} ${first}`);
}

/** `remove provider` and `set default`, with one more word. */
function groupedWords([first = '', second = '', ...further]: readonly string[], program: Command): string[] {
  if (further.length !== 1) return [];
  return program.commands.flatMap((group) => {
    const isGroup = [second, `${second}s`].includes(group.name());
    const isMeant = (name: string) => name === `${first}-${second}` || (isGroup && name === first);
    const found = group.commands.find((each) => isMeant(each.name()));
    return found ? [`${group.name()} ${found.name()}`] : [];
  });
}

/** The command of a group that a word stands for: `providers lst` and `providers ls` mean `status`. */
export function meantInGroup(word: string, group: Command): string | undefined {
  const names = group.commands.map((each) => each.name());
  const near = didYouMean(word, [...names, ...VERBS.keys()]);
  return near === undefined || names.includes(near) ? near : VERBS.get(near)!.find((verb) => names.includes(verb));
}

/** Of a provider, a route, a client, or a driver. */
async function isName(word: string): Promise<boolean> {
  const [{ openPlugins }, { isDriverWord }, { findConfig }, { loadConfig }, { pathsHere }] = await Promise.all([
    import('../daemon/project/open-plugins'),
    import('../plugins/suggest-driver'),
    import('../config/find-config'),
    import('../config/load'),
    import('./here'),
  ]);
  const paths = pathsHere();
  const { entries, routes, clients } = loadConfig(findConfig(paths));
  if ([...entries, ...routes, ...(clients ?? [])].some(({ name }) => name === word)) return true;
  return isDriverWord(word, openPlugins(paths, { environment: process.env }).manifests());
}
