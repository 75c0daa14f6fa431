import { pathOf } from './arrival';
import type { CallForm, Dialect, RequestHead } from './dialect';

/** Which dialect speaks at which path. The first dialect speaks at every path that belongs to no other. */
export class DialectTable {
  /** By exact path. */
  readonly calls = new Map<string, { dialect: Dialect; form: CallForm }>();
  /** The names of headers that may have the key, of all dialects. */
  readonly keyHeaders: readonly string[];

  constructor(readonly all: readonly [Dialect, ...Dialect[]]) {
    this.keyHeaders = [...new Set(all.flatMap(({ headers }) => headers.key))];
    for (const dialect of all) {
      for (const form of dialect.calls) for (const path of form.paths) this.calls.set(path, { dialect, form });
    }
  }

  /** The dialect of a request: that of the call at its path, or above it; else one that knows its clients. */
  dialectOf(request: RequestHead): Dialect {
    const path = pathOf(request);
    for (const [above, { dialect }] of this.calls) {
      if (path === above || path.startsWith(`${above}/`)) return dialect;
    }
    return this.all.find((dialect) => isListOf(dialect, path) || dialect.recognizes?.(request)) ?? this.all[0];
  }
}

function isListOf({ models }: Dialect, path: string): boolean {
  return models?.paths.some((list) => path === list || path.startsWith(`${list}/`)) ?? false;
}
