import { findErrorMessage } from '../../core/http/error-message';

test.each([
  ['{"error":{"message":"m","code":"c"}}', 'm'],
  ['{"error":"m"}', 'm'],
  ['{"message":"m"}', 'm'],
  ['{"detail":"m"}', 'm'],
  ['{"detail":[{"loc":["body"],"msg":"m"}]}', 'm'],
  ['[{"error":{"message":"m"}}]', 'm'],
  ['{"error":{"code":500},"message":"m"}', 'm'],
  ['{"object":"error","message":"m"}', 'm'],
  ['"m"', 'm'],
  ['plain\n\n  text', 'plain text'],
  ['{"error":{"message":"Incorrect API key provided: "}}', 'Incorrect API key provided'],
  [' : ', undefined],
  ['{"code":1}', '{"code":1}'],
  ['<html><head><title> 502 Bad Gateway </title></head><body>x</body></html>', '502 Bad Gateway'],
  ['<!doctype html><style>p{}</style><p>Some <b>words</b></p>', 'Some words'],
  ['', undefined],
  ['  ', undefined],
])('finds the message in %s', (body, message) => {
  expect(findErrorMessage(body)).toBe(message);
});

test('cuts a long message', () => {
  expect(findErrorMessage('x'.repeat(5_000))).toBe(`${'x'.repeat(1_999)}…`);
});

test.each([
  [':', ''],
  [' ,', ''],
  ['<', '<html>'],
  ['<title ', '<html>'],
  ['<script>', '<html>'],
  ['<style ', '<html>'],
  ['\n', '<body>'],
])('reads a body that repeats %j in no time', (piece, start) => {
  const body = `${start}${piece.repeat((64 * 1024) / piece.length)}x`;
  const before = performance.now();
  findErrorMessage(body);
  expect(performance.now() - before).toBeLessThan(500);
});
