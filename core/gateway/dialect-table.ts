import type { CallForm, Dialect } from './dialect';

/** Which dialect speaks at which path. */
export class DialectTable {
  private readonly calls = new Map<string, { dialect: Dialect; form: CallForm }>();

  /** The first dialect speaks at every path that belongs to no other. */
  constructor(readonly all: readonly [Dialect, ...Dialect[]]) {
    for (const dialect of all) {
      for (const form of dialect.calls) for (const path of form.paths) this.calls.set(path, { dialect, form });
    }
  }

  get callPaths(): string[] {
    return [...this.calls.keys()];
  }

  /** The call at exactly this path. */
  callAt(path: string): { dialect: Dialect; form: CallForm } | undefined {
    return this.calls.get(path);
  }

  /** Where a request may have the gateway's key: as its dialect says, or any, where it is no call of a dialect. */
  keyHeaders(dialect: Dialect | undefined): readonly string[] {
    return dialect?.headers.key ?? this.all.flatMap(({ headers }) => headers.key);
  }

  /** The dialect that spells the errors of a path. */
  dialectAt(path: string): Dialect {
    const above = this.callPaths.find((each) => path === each || path.startsWith(`${each}/`));
    return (above === undefined ? undefined : this.calls.get(above)?.dialect) ?? this.all[0];
  }
}
