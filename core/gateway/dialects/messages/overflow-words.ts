/** A number of tokens, and no port, status or part of a name. */
const NUMBER = /(?<![\w.:-])\d{3,}(?![\w:-])/g;
/** A limit, before or after the word for it, in the messages of many backends. */
const LIMIT = /(?:maximum|max_|limit|context (?:length|size|window)|n_ctx|up to)[^\d]{0,60}?(\d{3,})|(\d{3,}) maximum/i;
/** Some backends group the digits of a number. */
const GROUPING = /(?<=\d),(?=\d{3}(?!\d))/g;
/** In the form that drivers and the wire's own vendor write. */
const COUNTS = /\d+ tokens > \d+ maximum/;

/**
 * Says that a request is too long, in the only words by which programs of this wire know to shorten the conversation and
 * ask again. `text` is what the backend said.
 */
export function overflowWords(text: string): string {
  const known = COUNTS.exec(text)?.[0];
  if (known !== undefined) return `prompt is too long: ${known} (${text})`;
  const plain = text.replace(GROUPING, '');
  const limit = LIMIT.exec(plain);
  const maximum = Number(limit?.[1] ?? limit?.[2] ?? Infinity);
  const numbers = [...plain.matchAll(NUMBER)].map(([number]) => Number(number));
  const asked = numbers.find((number) => number > maximum);
  const counts = asked === undefined ? '' : `: ${asked} tokens > ${maximum} maximum`;
  return `prompt is too long${counts} (${text})`;
}
