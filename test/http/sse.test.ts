import { EVENT_LIMIT, SseParser } from '../../core/http/sse';
import { cpuTime } from '../setup/cpu-time';

function parse(text: string | Buffer, size?: number): string[] {
  const bytes = Buffer.from(text as string);
  const parser = new SseParser();
  const events: string[] = [];
  for (let start = 0; start < bytes.length; start += size ?? bytes.length) {
    parser.push(bytes.subarray(start, start + (size ?? bytes.length)), events);
  }
  parser.end(events);
  return events;
}

describe.each([undefined, 1, 2, 3, 5])('the parser, fed with pieces of %p bytes', (size) => {
  test.each([
    ['events', 'data: a\n\ndata: b\n\n', ['a', 'b']],
    ['carriage return and line feed', 'data: a\r\n\r\ndata: b\r\n\r\n', ['a', 'b']],
    ['carriage returns alone', 'data: a\r\rdata: b\r\r', ['a', 'b']],
    ['mixed line ends', 'data: a\r\n\ndata: b\n\r\ndata: c\r\rdata: d\n\n', ['a', 'b', 'c', 'd']],
    ['data of several lines', 'data: a\ndata:\ndata: b\n\n', ['a\n\nb']],
    ['data without the space', 'data:a\n\n', ['a']],
    ['data with two spaces', 'data:  a\n\n', [' a']],
    ['data with a colon', 'data: {"a": "b:c"}\n\n', ['{"a": "b:c"}']],
    ['a data line without a colon', 'data\n\n', ['']],
    ['comments', ': keep-alive\n\n:\ndata: a\n: within\n\n', ['a']],
    ['other fields', 'event: message\nid: 1\nretry: 5\ndata: a\ndatabase: x\n\n', ['a']],
    ['an event of type error', 'event: error\ndata: {"message":"no"}\n\n', ['{"message":"no"}']],
    ['an error field', 'error: {"message":"no"}\n\n', ['{"message":"no"}']],
    ['events without data', 'event: ping\n\n\n\n', []],
    ['a byte order mark', '\uFEFFdata: a\n\n', ['a']],
    ['a byte order mark later, which is content', 'data: \uFEFF\n\n', ['\uFEFF']],
    ['characters of several bytes', 'data: é€😀\n\n', ['é€😀']],
    ['a last event without a blank line', 'data: a\n\ndata: b', ['a', 'b']],
    ['a last event with one line end', 'data: a\r\n', ['a']],
    ['nothing', '', []],
  ])('reads %s', (_, text, events) => {
    expect(parse(text, size)).toEqual(events);
  });
});

test('an invalid byte becomes a replacement character', () => {
  expect(parse(Buffer.from([...Buffer.from('data: a'), 0xff, 0x0a, 0x0a]))).toEqual(['a\uFFFD']);
});

test('a line of 8 MB in small pieces takes linear time', () => {
  const line = 'x'.repeat(8 * 1024 * 1024);
  const used = cpuTime();
  expect(parse(`data: ${line}\n\n`, 1024)).toEqual([line]);
  expect(used()).toBeLessThan(2_000);
});

test.each([
  ['line', 'data: '],
  ['event of many lines', `data: ${'x'.repeat(1024)}\n`],
])('a %s above the limit is refused while it arrives', (_, text) => {
  const parser = new SseParser();
  const piece = Buffer.from(text.padEnd(64 * 1024, text.endsWith('\n') ? text : 'x'));
  const feed = () => {
    for (let size = 0; size < 2 * EVENT_LIMIT; size += piece.length) parser.push(piece, []);
  };
  expect(feed).toThrow('larger than 16 MiB');
});
