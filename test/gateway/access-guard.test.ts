import type { IncomingMessage } from 'node:http';
import { digestOf } from '../../core/config/client-keys';
import { AccessGuard } from '../../core/gateway/access-guard';

const rules = { allowHosts: ['llm.internal'], allowOrigins: ['http://localhost:3000'] };
const from = (headers: Record<string, string>) => ({ headers }) as unknown as IncomingMessage;
const check = (headers: Record<string, string>) => () => new AccessGuard(rules).checkSource(from(headers));

test.each([
  '127.0.0.1',
  '127.0.0.1:8080',
  '127.8.9.1:1',
  'localhost',
  'LOCALHOST:65535',
  'app.localhost:80',
  '[::1]',
  '[::1]:8080',
  'llm.internal',
  'LLM.internal:80',
])('Host %s is this machine', (host) => {
  expect(check({ host })).not.toThrow();
});

test.each([
  '',
  '0.0.0.0',
  '0.0.0.0:8080',
  '[::]',
  'evil.example',
  'evil-localhost',
  '192.168.1.5:8080',
  'localhost.evil.example',
  'evillocalhost',
  '127.0.0.1.evil.example',
  '127.0.0.1.',
  '127.1',
  '2130706433',
  'evil@localhost',
  'localhost:80:80',
  'localhost:x',
  'localhost/',
  'localhost, evil.example',
  ' localhost',
  '[::ffff:7f00:1]',
])('Host "%s" is refused', (host) => {
  expect(check({ host })).toThrow(expect.objectContaining({ status: 403, code: 'forbidden_host' }));
});

test.each(['http://localhost:3000', 'http://localhost:8080'])('Origin %s is allowed', (origin) => {
  expect(check({ host: 'localhost:8080', origin })).not.toThrow();
});

test.each([
  'null',
  '',
  'http://evil.example',
  'file://',
  'https://localhost:3000',
  'http://localhost:3001',
  'http://localhost:3000.evil.example',
  'http://localhost',
  'https://localhost:8080',
])('Origin "%s" is refused', (origin) => {
  expect(check({ host: 'localhost:8080', origin })).toThrow(
    expect.objectContaining({
      status: 403,
      code: 'forbidden_origin',
      message: expect.stringContaining(origin.includes('://') ? '--allow-origin' : 'may not use this gateway'),
    }),
  );
});

test.each([
  ['Bearer right-key-1', true],
  ['bearer right-key-1', true],
  ['Bearer  right-key-1 ', true],
  ['Bearer wrong', false],
  ['Bearer right-key-12', false],
  ['Basic right-key-1', false],
  ['right-key-1', false],
  ['', false],
])('Authorization "%s": %s', (authorization, isRight) => {
  const guard = new AccessGuard({ ...rules, keyDigest: digestOf('right-key-1') });
  const attempt = expect(() => guard.identify(from({ authorization }), [], undefined));
  if (isRight) attempt.not.toThrow();
  else attempt.toThrow(expect.objectContaining({ status: 401, code: 'invalid_api_key' }));
});

test.each([
  ['no key', {}, 'the request has no key'],
  ['an empty one', { authorization: 'Bearer ', 'x-api-key': '' }, 'the request has no key'],
  ['one of another form', { authorization: 'Basic other' }, 'the Authorization of the request is of another form'],
  ['another one', { authorization: 'Bearer other' }, 'it does not know the key of the request'],
  ['another one in its own header', { 'x-api-key': 'other' }, 'it does not know the key of the request'],
])('the refusal says of a request with %s what is wrong with it', (_, headers, reason) => {
  const guard = new AccessGuard({ ...rules, keyDigest: digestOf('secret') });
  const message = expect.stringMatching(new RegExp(`^this gateway wants its key .*; ${reason}$`)) as string;
  expect(() => guard.identify(from(headers), ['x-api-key'], undefined)).toThrow(expect.objectContaining({ message }));
});

test('without a configured key no request needs one', () => {
  expect(() => new AccessGuard(rules).identify(from({}), [], undefined)).not.toThrow();
});
