type Lines = AsyncIterableIterator<string, undefined>;

/**
 * Parses each line when it is asked for, so that nonsense behind the end of an answer, which nobody reads, does no harm.
 * `refuse` makes the error for a line that is something else.
 */
export function jsonLines(
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
