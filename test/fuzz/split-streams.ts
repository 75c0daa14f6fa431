import fc from 'fast-check';
import { LineSplitter } from '../../core/contract/line-splitter';
import { SseParser } from '../../core/http/sse';

interface Parser {
  push(bytes: Uint8Array, into: string[]): void;
  end(into: string[]): void;
}

const SSE = ['data: ', 'data:', 'data', 'event: x', ': note', 'id: 1', 'error: ', '{"a":"ü"}', '[DONE]', '\n', '\n\n'];
const LINES = ['{"a":1}', '{"text":"grüße 🙂"}', '[', '"\\u2028"', ' ', '\n', '\n', 'plain words'];
const ANY = ['\r', '\r\n', '\r\n\r\n', '\ufeff', '\u2028', 'é', '🙂', '\0', '\u0085'];
/** No character, also one that begins as one. */
const BROKEN = [[0xff], [0xc3], [0xf0, 0x9f], [0xed, 0xa0, 0x80], [0xef, 0xbb]].map((bytes) => Buffer.from(bytes));

export interface SplitStream {
  bytes: Buffer;
  /** Where it is cut, beyond its end as well. */
  cuts: number[];
}

/** A stream with cuts anywhere, in most cases inside a character or a line break. */
export function splitStreams(kind: 'sse' | 'lines'): fc.Arbitrary<SplitStream> {
  const words = [...(kind === 'sse' ? SSE : LINES), ...ANY].map((text) => Buffer.from(text));
  const pieces = fc.array(fc.nat(), { maxLength: 14 });
  return fc.tuple(pieces, fc.array(fc.nat(80), { maxLength: 4 })).map(([numbers, cuts]) => ({
    bytes: Buffer.concat(numbers.map((number) => pieceOf(number, words))),
    cuts,
  }));
}

function pieceOf(number: number, words: readonly Buffer[]): Buffer {
  const from = number % 20 === 0 ? BROKEN : words;
  return from[(number >>> 5) % from.length]!;
}

/** That the parser tells the same of a stream in one piece, in bytes, and in the pieces between the cuts. */
export function checkSplits(make: () => Parser, { bytes, cuts }: SplitStream): void {
  const whole = read(make(), [bytes]);
  const single = Array.from({ length: bytes.length }, (_, at) => bytes.subarray(at, at + 1));
  const places = [0, ...cuts.filter((at) => at < bytes.length).sort((a, b) => a - b), bytes.length];
  const some = places.slice(1).map((end, index) => bytes.subarray(places[index], end));
  for (const pieces of [single, some]) {
    const told = read(make(), pieces);
    if (told.length !== whole.length || told.some((event, at) => event !== whole[at]))
      throw new Error(`${JSON.stringify(told)} in pieces, ${JSON.stringify(whole)} as a whole`);
  }
}

export const parsers = { sse: () => new SseParser(), lines: () => new LineSplitter() };

function read(parser: Parser, pieces: readonly Buffer[]): string[] {
  const told: string[] = [];
  for (const piece of pieces) parser.push(piece, told);
  parser.end(told);
  return told;
}
