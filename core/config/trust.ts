import type { Problem } from '../errors';
import { readConfigFile, type ConfigFile } from './config-file';
import type { ConfigSource } from './find-config';
import type { Located } from './located';
import { driverOf, type Entry } from './merge';
import type { TrustMode } from './trust-mode';
import { HOW_TO_TRUST, TrustStore } from './trust-store';

/** Whether a field can run a program, or send a key to a server. The driver is absent where no file names it. */
export type Guard = (driver: string | undefined, field: string, value: Located) => boolean;

export interface TrustOptions {
  mode: TrustMode;
  stateDirectory: string;
  isGuarded: Guard;
}

interface Review {
  /** The entries of the project file without the held fields. */
  entries: Entry[];
  /** The fields that are not used yet, by provider. */
  held: Map<string, string[]>;
  notices: Problem[];
  /** Remembers that the user has read the notices. A command that fails before it tells them leaves them to the next one. */
  remember(): void;
}

/**
 * Reports or holds back the guarded fields of a project file, because a cloned repository may be hostile. `base` are the
 * entries of the global file.
 */
export function reviewProject(
  project: ConfigFile,
  base: readonly Entry[],
  { mode, stateDirectory, isGuarded }: TrustOptions,
): Review {
  const review: Review = { entries: project.entries, held: new Map(), notices: [], remember: () => undefined };
  const guarded = guardedFields(project.entries, base, isGuarded);
  const store = new TrustStore(stateDirectory);
  if (guarded.size === 0 || store.has('trusted', project)) return review;
  if (mode === 'ask') {
    review.entries = project.entries.map((entry) => without(entry, guarded.get(entry) ?? []));
    review.held = new Map([...guarded].map(([{ name }, fields]) => [name, fields]));
    review.notices = [...guarded].map(explainHeld);
  } else if (!store.has('noticed', project)) {
    review.notices = [...guarded].map(explainSet);
    // If the store cannot be written, the notice appears again, which is harmless.
    review.remember = () => void store.add('noticed', project);
  }
  return review;
}

/** The guarded fields of the entries that have some. An entry of a project file may leave its driver to the global file. */
export function guardedFields(
  entries: readonly Entry[],
  base: readonly Entry[],
  isGuarded: Guard,
): Map<Entry, string[]> {
  const all = entries.map((entry): [Entry, string[]] => {
    const below = driverOf(base.find(({ name }) => name === entry.name));
    const driver = driverOf(entry) ?? below;
    const fields = [...entry.fields.entries].filter(([field, value]) =>
      field === 'driver'
        ? // With another driver the keys of the entry go to another server.
          below !== undefined && below !== driver
        : // A driver that is held back leaves its fields to the other one.
          isGuarded(driver, field, value) || isGuarded(below, field, value),
    );
    return [entry, fields.map(([field]) => field)];
  });
  return new Map(all.filter(([, fields]) => fields.length > 0));
}

/** Trusts a project file with its current content. Returns the problems. */
export function trustProject(source: ConfigSource, stateDirectory: string): Problem[] {
  const project = readConfigFile(source);
  if (!project.exists) return [{ message: 'there is no such file', place: { file: source.file } }];
  if (project.problems.length > 0) return project.problems;
  return [new TrustStore(stateDirectory).add('trusted', project)].filter((problem) => problem !== undefined);
}

function without(entry: Entry, fields: string[]): Entry {
  const kept = new Map([...entry.fields.entries].filter(([name]) => !fields.includes(name)));
  return { ...entry, fields: { ...entry.fields, entries: kept } };
}

function explainSet([entry, fields]: [Entry, string[]]): Problem {
  return {
    message: `this project sets ${fields.join(', ')} of provider "${entry.name}"`,
    place: placeOfFirst(entry, fields),
    hint: 'said once for this content; --no-project leaves the project file out',
  };
}

function explainHeld([entry, fields]: [Entry, string[]]): Problem {
  return {
    message: `${fields.join(', ')} of provider "${entry.name}" not used: this project file is not trusted yet`,
    place: placeOfFirst(entry, fields),
    hint: HOW_TO_TRUST,
  };
}

/** Fields have the order of the file. */
function placeOfFirst({ fields: { entries, place } }: Entry, [first = '']: string[]): Problem['place'] & object {
  return entries.get(first)?.keyPlace ?? place;
}
