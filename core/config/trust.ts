import type { Problem } from '../errors';
import { readConfigFile, type ConfigFile } from './config-file';
import type { ConfigSource } from './find-config';
import type { Located } from './located';
import type { Entry } from './merge';
import type { TrustMode } from './trust-mode';
import { TrustStore } from './trust-store';

/** The fields that can run a program or send a key to a server. */
const GUARDED_FIELDS = ['command', 'extra_args', 'base_url', 'api_key_env'];

export interface TrustOptions {
  mode: TrustMode;
  stateDirectory: string;
}

interface Review {
  /** The entries of the project file without the held fields. */
  entries: Entry[];
  /** The fields that are not used yet, by provider. */
  held: Map<string, string[]>;
  notices: Problem[];
}

/** Reports or holds back the guarded fields of a project file, because a cloned repository may be hostile. */
export function reviewProject(project: ConfigFile, { mode, stateDirectory }: TrustOptions): Review {
  const review: Review = { entries: project.entries, held: new Map(), notices: [] };
  const guarded = project.entries.filter((entry) => guardedFieldsOf(entry).length > 0);
  const store = new TrustStore(stateDirectory);
  if (guarded.length === 0 || store.has('trusted', project)) return review;
  if (mode === 'ask') {
    review.entries = project.entries.map(withoutGuardedFields);
    review.held = new Map(guarded.map((entry) => [entry.name, guardedFieldsOf(entry)]));
    review.notices = guarded.map(explainHeld);
  } else if (!store.has('noticed', project)) {
    review.notices = guarded.map(explainSet);
    // If the store cannot be written, the notice appears again, which is harmless.
    store.add('noticed', project);
  }
  return review;
}

/** Trusts a project file with its current content. Returns its guarded fields by provider, or the problems. */
export function trustProject(
  source: ConfigSource,
  stateDirectory: string,
): { fields: Map<string, string[]>; problems: Problem[] } {
  const project = readConfigFile(source);
  const guarded = project.entries.map((entry) => [entry.name, guardedFieldsOf(entry)] as const);
  const fields = new Map(guarded.filter(([, names]) => names.length > 0));
  const absent: Problem = { message: 'there is no such file', place: { file: source.file } };
  if (!project.exists) return { fields, problems: [absent] };
  if (project.problems.length > 0) return { fields, problems: project.problems };
  const problem = new TrustStore(stateDirectory).add('trusted', project);
  return { fields, problems: problem ? [problem] : [] };
}

function guardedFieldsOf({ fields }: Entry): string[] {
  return GUARDED_FIELDS.filter((name) => fields.entries.has(name));
}

function withoutGuardedFields(entry: Entry): Entry {
  const kept = new Map<string, Located>([...entry.fields.entries].filter(([name]) => !GUARDED_FIELDS.includes(name)));
  return { ...entry, fields: { ...entry.fields, entries: kept } };
}

function explainSet(entry: Entry): Problem {
  return {
    message: `this project sets ${guardedFieldsOf(entry).join(', ')} of provider "${entry.name}"`,
    place: placeOfFirst(entry),
    hint: 'said once for this content; --no-project leaves the project file out',
  };
}

function explainHeld(entry: Entry): Problem {
  return {
    message: `${guardedFieldsOf(entry).join(', ')} of provider "${entry.name}" not used: this project file is not trusted yet`,
    place: placeOfFirst(entry),
    hint: 'look at the file, then run: drivebay trust',
  };
}

function placeOfFirst(entry: Entry): Problem['place'] & object {
  const places = guardedFieldsOf(entry).map((name) => entry.fields.entries.get(name)?.keyPlace);
  const known = places.filter((place) => place !== undefined);
  return known.sort((a, b) => (a.line ?? 0) - (b.line ?? 0))[0] ?? entry.fields.place;
}
