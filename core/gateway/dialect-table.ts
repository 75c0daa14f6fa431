import type { CallForm, Dialect } from './dialect';

interface CallDoor {
  dialect: Dialect;
  form: CallForm;
}

/** Which dialect speaks at which path. The first dialect speaks at every path that belongs to no other. */
export class DialectTable {
  /** By exact path. */
  readonly calls: ReadonlyMap<string, CallDoor>;

  constructor(readonly all: readonly [Dialect, ...Dialect[]]) {
    this.calls = new Map(
      all.flatMap((dialect) =>
        dialect.calls.flatMap((form) => form.paths.map((path): [string, CallDoor] => [path, { dialect, form }])),
      ),
    );
  }

  /** The dialect of a path: that of the call at the path, or above it. */
  dialectAt(path: string): Dialect {
    for (const [above, { dialect }] of this.calls) {
      if (path === above || path.startsWith(`${above}/`)) return dialect;
    }
    return this.all[0];
  }
}
