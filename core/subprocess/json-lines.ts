import type { JsonLine } from '../contract/api';
import { parseJson } from './parse-json';

/** Parses each line; leaving the loop leaves the loop over the lines. */
export function jsonLines(lines: AsyncIterableIterator<string>): AsyncIterableIterator<JsonLine> {
  return {
    [Symbol.asyncIterator]() {
      return this;
    },
    async next() {
      const result = await lines.next();
      if (result.done) return { done: true, value: undefined };
      const text = result.value;
      const json = parseJson(text);
      return { done: false, value: { text, json: json instanceof Promise ? await json : json } };
    },
    async return() {
      await lines.return?.();
      return { done: true, value: undefined };
    },
  };
}
