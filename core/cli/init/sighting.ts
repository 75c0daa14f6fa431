import type { Manifest } from '../../plugins/manifest';

/** The kinds of backend, in the order in which `init` prefers them as the default. */
export const SORTS = ['program', 'server', 'key'] as const;

export type Sort = (typeof SORTS)[number];

/** A backend that a manifest describes, found or not. */
export interface Sighting {
  sort: Sort;
  manifest: Manifest;
  /** The entry for providers.yaml, without `driver`. */
  provider: { name: string } & Record<string, unknown>;
  /** Where it was found, for people. Absent: not found. */
  where?: string;
  get?: string;
  /** Candidates for `default_model`, where `provider` names none. */
  preferredModels?: readonly string[];
  /** Why a backend that was found cannot answer, with the remedy. */
  lacks?: string;
  /** The variable of a key that only the .env files of the project have. */
  projectOnly?: string;
}

/** A backend that was found, after `init` has asked it. */
export interface Examined {
  sighting: Sighting;
  /** `absent`: another program has the name. */
  state: 'answers' | 'silent' | 'absent';
  /** What the backend says of itself, or why it does not answer. */
  detail: string;
  fix?: string;
  isLoggedIn?: boolean;
}
