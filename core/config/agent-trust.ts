import type { Problem } from '../errors';
import { findPaths } from '../paths';
import { TrustStore } from './trust-store';

/** Whether the user lets agents that act without asking work in a folder. */
export class AgentTrust {
  /** The project of the folder, or the folder itself. */
  readonly folder: string;
  private readonly store: TrustStore;

  constructor(workingIn: string) {
    const { state, projectRoot = workingIn } = findPaths(process.env, workingIn);
    this.folder = projectRoot;
    this.store = new TrustStore(state);
  }

  get isGiven(): boolean {
    return this.store.has('agents', this.place);
  }

  /** For good. Returns a problem where that cannot be kept. */
  give(): Problem | undefined {
    return this.store.add('agents', this.place);
  }

  private get place() {
    return { file: this.folder, text: '' };
  }
}
