import { randomBytes } from 'node:crypto';
import { Redactor } from '../../core/contract/redact';

const key = 'sk-proj-AbCdEfGh0123456789+/xyz';

function redactor(...secrets: string[]): Redactor {
  const made = new Redactor();
  for (const secret of secrets) made.add(secret);
  return made;
}

const cut = encodeURIComponent('a+b/c+d/e+f/g+h/i+j/k').slice(0, 40);
const lowerCase = encodeURIComponent(key).replace(/%[0-9A-F]{2}/g, (code) => code.toLowerCase());

test.each([
  ['a key inside a text', [key], `Incorrect key ${key}.`, 'Incorrect key [redacted].'],
  ['every occurrence', [key], `${key} ${key}`, '[redacted] [redacted]'],
  ['a key in a URL', [key], `?key=${encodeURIComponent(key)}&a=1`, '?key=[redacted]&a=1'],
  ['a key in a URL with lower-case digits', [key], `?key=${lowerCase}&a=1`, '?key=[redacted]&a=1'],
  ['a key with a few encoded characters', [key], `?key=${key.replace('+', '%2B')}&a=1`, '?key=[redacted]&a=1'],
  ['the beginning of a key, where a text was cut', [key], `Bearer ${key.slice(0, 20)}`, 'Bearer [redacted]'],
  ['the encoded beginning of a key', ['a+b/c+d/e+f/g+h/i+j/k'], cut, '[redacted]'],
  [
    'a key inside a JSON text',
    ['quote"and\\slash'],
    JSON.stringify({ key: 'quote"and\\slash' }),
    '{"key":"[redacted]"}',
  ],
  ['the longer of two keys that begin alike', ['password', 'password-longer'], 'password-longer', '[redacted]'],
  ['no value under 8 characters: it would be a word', ['short'], 'a short text', 'a short text'],
  ['no common beginning of keys', [key], 'keys start with sk-proj-', 'keys start with sk-proj-'],
])('takes out %s', (_, secrets, text, expected) => {
  expect(redactor(...secrets).redact(text)).toBe(expected);
});

const base64 = (text: string) => Buffer.from(text).toString('base64');

describe('takes out a key in base64', () => {
  const odd = 'sk-üñ?>~~key/+0123';
  test.each(['', 'u', 'us', 'use', 'user:'])('behind %j', (before) => {
    for (const secret of [key, `${key}x`, `${key}xy`, odd, 'password', 'password1', 'password12']) {
      for (const after of ['', '!', '!!', '!!!']) {
        const encoded = base64(before + secret + after);
        for (const form of [
          encoded,
          encodeURIComponent(encoded),
          Buffer.from(encoded, 'base64').toString('base64url'),
        ]) {
          const [start = '', end] = redactor(secret).redact(form).split('[redacted]');
          // What is left holds the neighbours; one character of base64 on either side is theirs and the key's.
          expect(start.length).toBeLessThanOrEqual(Math.ceil((before.length * 4) / 3));
          expect(end?.replace(/(=|%3D)*$/, '').length).toBeLessThanOrEqual(Math.ceil((after.length * 4) / 3));
        }
      }
    }
  });

  test('where the text was cut', () => {
    const cut = base64(`user:${key.repeat(3)}`).slice(0, 60);
    expect(redactor(key.repeat(3)).redact(cut)).toMatch(/^.{0,8}\[redacted\]$/);
  });

  test('and leaves other base64 alone', () => {
    const other = base64('sk-proj-another key of somebody else');
    expect(redactor(key).redact(other)).toBe(other);
  });
});

describe('takes out a key of any length', () => {
  const letters = (length: number) => Array.from({ length }, (_, at) => ((at * 7919) % 46_649).toString(36)).join('-');

  test.each([300, 2500, 12_000])('of %i words', (length) => {
    const long = `sk-${letters(length)}`;
    const pem = long.replace(/.{64}/g, '$&\n');
    for (const secret of [long, pem]) {
      const of = redactor(secret);
      for (const text of [secret, encodeURIComponent(secret), JSON.stringify(secret), base64(`user:${secret}`)]) {
        expect(of.redact(`<${text}>`)).toMatch(/^<"?(dXNl.{0,4})?(\[redacted\])+=?"?>$/);
      }
    }
  });

  test('beside many others', () => {
    const keys = Array.from({ length: 30 }, (_, at) => `key-${letters(40)}-${at}`);
    expect(redactor(...keys).redact(keys.join(' '))).toBe(keys.map(() => '[redacted]').join(' '));
  });
});

test.each(['Bearer KEY', 'bearer  KEY', '"KEY"', "'KEY'", ' KEY', 'KEY\n', '\tBearer "KEY" '])(
  'takes out the key within %j, which a server may repeat alone',
  (value) => {
    expect(redactor(value.replace('KEY', key)).redact(`Incorrect key ${key}.`)).toMatch(
      /^Incorrect key ?\[redacted\]\.$/,
    );
  },
);

describe('a copy of data', () => {
  const of = redactor('key-12345678');

  test('every string in data is redacted, names of fields included, and the rest stays', () => {
    const data = { a: ['key-12345678', 1, null, { deep: 'x key-12345678 y' }], 'key-12345678': true };
    expect(of.redactData(data)).toEqual({
      a: ['[redacted]', 1, null, { deep: 'x [redacted] y' }],
      '[redacted]': true,
    });
  });

  test('names that are plain words stay, so that a record is whole if a key is such a word', () => {
    expect(redactor('provider').redactData({ provider: 'provider', 'provider 1': 1 })).toEqual({
      provider: '[redacted]',
      '[redacted] 1': 1,
    });
  });

  test('what was given is not touched, and the copy does not change with it', () => {
    const data = { list: ['key-12345678'] };
    const copy = of.redactData(data);
    data.list.push('more');
    expect([data.list[0], copy.list]).toEqual(['key-12345678', ['[redacted]']]);
  });

  test('large integers become text, and a circle is an error', () => {
    expect(of.redactData({ size: 10n })).toEqual({ size: '10' });
    const circle: Record<string, unknown> = {};
    circle.self = circle;
    expect(() => of.redactData(circle)).toThrow(/circular/);
  });
});

test('of the secrets of the run time the last twenty are known, and every key', () => {
  const made = redactor(key);
  const token = (count: number) => `hour-${count}-token-of-a-login`;
  for (let hour = 1; hour <= 21; hour += 1) made.add(token(hour), true);
  made.add(key, true);
  expect(made.redact(`${key} ${token(1)} ${token(2)} ${token(21)}`)).toBe(
    `[redacted] ${token(1)} [redacted] [redacted]`,
  );
});

test('a secret of the run time that is told again counts as the last one', () => {
  const made = redactor();
  for (let hour = 0; hour < 100; hour += 1) {
    made.add(`hour-${hour}-token-of-a-login`, true);
    made.add(key, true);
  }
  expect(made.redact(key)).toBe('[redacted]');
});

test('a long secret of the run time counts once', () => {
  const made = redactor();
  const tokens = Array.from({ length: 20 }, () => randomBytes(2_000).toString('hex'));
  for (const token of tokens) made.add(token, true);
  expect(made.redact(tokens.join(' '))).not.toMatch(/[0-9]/);
});

test('a secret of the run time that becomes a key stays', () => {
  const made = redactor();
  made.add(key, true);
  made.add(key);
  for (let hour = 0; hour < 200; hour += 1) made.add(`hour-${hour}-token-of-a-login`, true);
  expect(made.redact(key)).toBe('[redacted]');
});
