type Lines = AsyncIterableIterator<string, undefined>;

/**
 * Parses each line when the reader asks for it: a line behind the end of an answer may be anything, and is not read.
 * `refuse` makes the error for a line that is not JSON.
 */
export function jsonValues(
  lines: Lines,
  refuse: (line: string, cause: unknown) => Error,
): AsyncIterableIterator<unknown, undefined> {
  return {
    [Symbol.asyncIterator]() {
      return this;
    },
    async next() {
      let result = await lines.next();
      while (!result.done && result.value.trim() === '') result = await lines.next();
      if (result.done) return result;
      try {
        return { done: false, value: JSON.parse(result.value) as unknown };
      } catch (error) {
        await lines.return?.();
        throw refuse(result.value, error);
      }
    },
    async return() {
      await lines.return?.();
      return { done: true, value: undefined };
    },
  };
}
