import type { Lack } from '../providers/find-lack';
import type { LlmDevice } from './device';

/** A provider, with the model that it is asked for; undefined leaves the model to the provider. */
export interface Candidate {
  device: LlmDevice;
  model: string | undefined;
}

/** The part of a route that chooses. */
export interface Choice {
  readonly name: string;
  /** 0: each target has its own limit. */
  readonly timeoutSec: number;
  /**
   * Who may answer, in the order to ask, with routes in routes taken apart. It takes a turn of a spread route, so it is
   * to be called once for each request. `model` is for the targets that name none.
   */
  candidates(model: string | undefined): Iterable<Candidate>;
  /** Who may answer, in the order of the configuration. */
  all(model: string | undefined): Iterable<Candidate>;
}

/** What one kind of call asks a target. */
export interface RoutedCall<Result> {
  /** Whether the caller has seen something of an answer, or an agent has acted. */
  readonly hasBegun: boolean;
  lackOf(candidate: Candidate): Lack | undefined;
  ask(candidate: Candidate): Promise<Result>;
}
