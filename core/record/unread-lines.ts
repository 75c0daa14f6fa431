/** Lines of a file that cannot be read: it is damaged, or a newer version of the program has written it. */
export interface UnreadLines {
  file: string;
  lines: number;
}

/** Counts what the readers of the state folder pass over. */
export class UnreadCount {
  private readonly counts = new Map<string, number>();

  add(file: string, lines = 1): void {
    if (lines > 0) this.counts.set(file, (this.counts.get(file) ?? 0) + lines);
  }

  list(): UnreadLines[] {
    return [...this.counts].map(([file, lines]) => ({ file, lines }));
  }
}

export function explainUnread({ file, lines }: UnreadLines): string {
  const what = lines === 1 ? '1 line' : `${lines} lines`;
  return `${what} of ${file} cannot be read`;
}

/** About records of which nothing can be read. */
export function explainLost([one, ...more]: readonly string[]): string | undefined {
  if (one === undefined) return undefined;
  const beside = more.length === 0 ? '' : ` and ${more.length === 1 ? '1 record' : `${more.length} records`} beside it`;
  return `no process can be read from ${one}${beside}`;
}

/** Nothing else has what stood there. */
export const HOW_TO_READ =
  'if a newer drivebay has written it, update this one; if not, only a copy of the file has the rest';
