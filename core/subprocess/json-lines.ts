import type { JsonLine } from '../plugins/api';

/** Parses each line; leaving the loop leaves the loop over the lines. */
export function jsonLines(lines: AsyncIterableIterator<string>): AsyncIterableIterator<JsonLine> {
  return {
    [Symbol.asyncIterator]() {
      return this;
    },
    async next() {
      const result = await lines.next();
      if (result.done) return { done: true, value: undefined };
      return { done: false, value: { text: result.value, json: parse(result.value) } };
    },
    async return() {
      await lines.return?.();
      return { done: true, value: undefined };
    },
  };
}

function parse(text: string): unknown {
  try {
    return JSON.parse(text);
  } catch {
    return undefined;
  }
}
