import type { Manifest } from '../../plugins/manifest';

/** The ways a backend can be found, in the order in which `init` prefers one as the default. */
export const SORTS = ['program', 'server', 'key'] as const;

export type Sort = (typeof SORTS)[number];

/** Something that a manifest says how to find: found, or not. */
export interface Sighting {
  sort: Sort;
  manifest: Manifest;
  /** The entry for providers.yaml, without `driver`. */
  provider: { name: string } & Record<string, unknown>;
  /** Where it was found, for people; absent: it was not. */
  where?: string;
  /** How to get it, for people. */
  get?: string;
  /** Which models to take for `default_model`, where `provider` names none. */
  preferredModels?: readonly string[];
  /** What keeps a backend that was found from answering, with the remedy. */
  lacks?: string;
  /** A key that only the .env files of the project have: its variable. */
  projectOnly?: string;
}
