import { Tail } from '../../core/subprocess/tail';

test.each([1, 3, 7, 20])('the tail is the end of what was written in pieces of %i bytes', (size) => {
  const text = 'abc😀déf'.repeat(5);
  const bytes = Buffer.from(text);
  const tail = new Tail(10);
  expect(tail.text).toBe('');
  for (let at = 0; at < bytes.length; at += size) {
    tail.push(bytes.subarray(at, at + size));
    const whole = bytes.subarray(0, at + size);
    const expected = whole
      .subarray(Math.max(0, whole.length - 10))
      .toString()
      .replace(/^\uFFFD+/, '');
    expect(tail.text).toBe(expected);
  }
});
