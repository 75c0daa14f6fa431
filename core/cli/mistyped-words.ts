import type { Command } from 'commander';
import { didYouMean } from '../config/did-you-mean';
import { starPattern } from '../plugins/star-pattern';
import { COMMAND_WORDS, DOES, LONE_WORDS, PAIRED_WORDS, THINGS, VERBS } from './command-words';

/**
 * The commands that two words stand for: `check config`, `list providers`, `show models`, `keys new`, `pull qwen`. Of three, `key add x`.
 * Undefined for an intent: `fix tests`, and `update docs`, because nothing here updates.
 */
export function meantByTwo(words: readonly string[], program: Command): readonly string[] | undefined {
  const [first = '', second = '', ...further] = words;
  if (further.length === 1 && THINGS.has(first) && VERBS.has(second)) return LONE_WORDS.get(first);
  if (second === '' || further.length > 0) return undefined;
  const group = program.commands.find((each) => [second, `${second}s`].includes(each.name()));
  const meant = group && (isNameIn(group, first) ? first : verbIn(group, first));
  if (meant !== undefined) return [`${group!.name()} ${meant}`];
  const joined = program.commands.find((each) => isNameIn(each, `${first}-${second}`));
  if (joined) return [`${joined.name()} ${first}-${second}`];
  const named = COMMAND_WORDS.get(first.toLowerCase())?.filter((command) => command.split(' ').includes(second));
  if (named && named.length > 0) return named;
  const other = PAIRED_WORDS.get(first) ?? (VERBS.has(second) ? LONE_WORDS.get(first) : undefined);
  if (other) return other;
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

type Kind = 'provider' | 'driver' | 'client-name';

interface Meant {
  command: string;
  /** What its name has to be. Absent: any. */
  kind?: Kind;
}

/**
 * The commands that `claude`, `ollama run x`, `add openai`, `delete work`, `use claude`, `set default groq` and `remove provider openai`
 * stand for. Only plug-ins and configuration know the names, and they are read for words of these forms alone. `hello`, `add tests`
 * and `remove provider code` have such a form, and are intents.
 */
export async function meantByName(texts: readonly string[], program: Command): Promise<readonly string[] | undefined> {
  const words = texts.length === 1 ? texts[0]!.trim().split(/\s+/) : texts;
  if (words.length === 1 || (words.length <= 3 && isCommandWord(words[1]!, program))) {
    const meant = await meantByProduct(words[0]!);
    if (meant) return meant;
  }
  const commands = words.length === 2 ? endedByName(words, program) : groupedWords(words, program);
  if (commands.length === 0) return undefined;
  const name = words.at(-1)!;
  const kinds = await kindsOf(name);
  const meant = commands.filter(({ kind }) => (kind === undefined ? kinds.size > 0 : kinds.has(kind)));
  return meant.length === 0 ? undefined : meant.map(({ command }) => `${command} ${name}`);
}

function endedByName([first = '']: readonly string[], program: Command): Meant[] {
  if (first === 'use') return [{ command: 'providers set-default' }, { command: 'run --provider' }];
  const inGroups = program.commands.flatMap((group): Meant[] => {
    const name = isNameIn(group, first) ? first : verbIn(group, first);
    const command = group.commands.find((each) => each.name() === name);
    const kind = command?.registeredArguments[0]?.name();
    return isKind(kind) ? [{ command: `${group.name()} ${name}`, kind }] : [];
  });
  return VERBS.get(first)?.includes('check') ? [...inGroups, { command: 'doctor', kind: 'provider' }] : inGroups;
}

function isKind(word: string | undefined): word is Kind {
  return word === 'provider' || word === 'driver' || word === 'client-name';
}

function isNameIn(group: Command, word: string): boolean {
  return group.commands.some((each) => each.name() === word);
}

function verbIn(group: Command, word: string): string | undefined {
  return VERBS.get(word)?.find((verb) => isNameIn(group, verb));
}

/** `remove provider` and `set default`, with one more word. */
function groupedWords([first = '', second = '', ...further]: readonly string[], program: Command): Meant[] {
  if (further.length !== 1) return [];
  return program.commands.flatMap((group) => {
    const isGroup = [second, `${second}s`].includes(group.name());
    const names = isGroup ? [first, verbIn(group, first)] : [`${first}-${second}`];
    const found = names.find((name) => name !== undefined && isNameIn(group, name));
    return found === undefined ? [] : [{ command: `${group.name()} ${found}` }];
  });
}

/** The command of a group that a word stands for: `providers lst` and `providers ls` mean `status`. */
export function meantInGroup(word: string, group: Command): string | undefined {
  const verbs = [...VERBS.keys()].filter((verb) => verbIn(group, verb) !== undefined);
  const near = didYouMean(word, [...group.commands.map((each) => each.name()), ...verbs]);
  return near === undefined || isNameIn(group, near) ? near : verbIn(group, near);
}

/** What a verb behind a command that has no further commands means: `models ls`, `ps all`, `launch list`. */
export function meantByOwnVerb(word: string, command: Command): string | undefined {
  const name = command.name();
  if (!Object.hasOwn(DOES, name) || !VERBS.get(word)?.includes(DOES[name]!)) return undefined;
  const option = [word, DOES[name]].find((each) => command.options.some(({ long }) => long === `--${each}`));
  return option === undefined ? name : `${name} --${option}`;
}

function isCommandWord(word: string, { commands }: Command): boolean {
  const words = [COMMAND_WORDS, PAIRED_WORDS, VERBS];
  return commands.some((each) => each.name() === word) || words.some((each) => each.has(word));
}

/** In other tools of this kind, `claude` alone starts that program, and `gpt-4o` a chat with that model. */
async function meantByProduct(word: string): Promise<readonly string[] | undefined> {
  const [{ openPlugins }, { isCalled, listClients }, { ofKind }, { pathsHere }] = await Promise.all([
    import('../daemon/project/open-plugins'),
    import('./launch/find-client'),
    import('./completion/suggestions'),
    import('./here'),
  ]);
  const clients = listClients(openPlugins(pathsHere(), { environment: process.env }));
  if (clients.some((client) => isCalled(client, word))) return [`launch ${word}`];
  const kinds = await kindsOf(word);
  if (kinds.has('provider')) return [`chat --provider ${word}`];
  const models = await ofKind('model', undefined);
  const model = Array.isArray(models) ? models.find(({ value }) => value === word) : undefined;
  if (model) return [`chat --provider ${model.about} --model ${word}`];
  if (kinds.has('driver')) return [`providers add ${word}`];
  return clients.some(({ asksFor }) => asksFor.some((names) => starPattern(names).test(word))) ? ['models'] : undefined;
}

export async function isProvider(word: string): Promise<boolean> {
  return (await kindsOf(word)).has('provider');
}

/** What has this name: a provider or a route, a client, a driver. */
async function kindsOf(word: string): Promise<Set<Kind>> {
  const [{ openPlugins }, { isDriverWord }, { findConfig }, { loadConfig }, { pathsHere }] = await Promise.all([
    import('../daemon/project/open-plugins'),
    import('../plugins/suggest-driver'),
    import('../config/find-config'),
    import('../config/load'),
    import('./here'),
  ]);
  const paths = pathsHere();
  const { entries, routes, clients } = loadConfig(findConfig(paths));
  const kinds = new Set<Kind>();
  if ([...entries, ...routes].some(({ name }) => name === word)) kinds.add('provider');
  if (clients?.some(({ name }) => name === word)) kinds.add('client-name');
  if (isDriverWord(word, openPlugins(paths, { environment: process.env }).manifests())) kinds.add('driver');
  return kinds;
}
