import type { CallForm, Dialect } from './dialect';

/** Which dialect speaks at which path. The first dialect speaks at every path that belongs to no other. */
export class DialectTable {
  /** By exact path. */
  readonly calls = new Map<string, { dialect: Dialect; form: CallForm }>();

  constructor(readonly all: readonly [Dialect, ...Dialect[]]) {
    for (const dialect of all) {
      for (const form of dialect.calls) for (const path of form.paths) this.calls.set(path, { dialect, form });
    }
  }

  /** The dialect of a path: that of the call at the path, or above it. */
  dialectAt(path: string): Dialect {
    for (const [above, { dialect }] of this.calls) {
      if (path === above || path.startsWith(`${above}/`)) return dialect;
    }
    return this.all[0];
  }
}
