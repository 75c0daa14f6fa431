// The protocol calls the mark of a page a cursor. This file has the word, so that a test can look for the vendor elsewhere.

export function pageParams(page: string | undefined): Record<string, string> {
  return page === undefined ? {} : { cursor: page };
}

/** The mark of the next page; undefined after the last one. */
export function nextPageOf({ nextCursor }: Record<string, unknown>): string | undefined {
  return typeof nextCursor === 'string' && nextCursor !== '' ? nextCursor : undefined;
}
