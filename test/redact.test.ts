import { Redactor } from '../core/redact';

const key = 'sk-proj-AbCdEfGh0123456789+/xyz';

function redactor(...secrets: string[]): Redactor {
  const made = new Redactor();
  for (const secret of secrets) made.add(secret);
  return made;
}

test.each([
  ['a key inside a text', `Incorrect key ${key}.`, 'Incorrect key [redacted].'],
  ['every occurrence', `${key} ${key}`, '[redacted] [redacted]'],
  ['a key in a URL', `?key=${encodeURIComponent(key)}&a=1`, '?key=[redacted]&a=1'],
  ['the beginning of a key, where a text was cut', `Bearer ${key.slice(0, 20)}`, 'Bearer [redacted]'],
])('takes out %s', (_, text, expected) => {
  expect(redactor(key).redact(text)).toBe(expected);
});

test('takes out a key that is escaped inside a JSON text', () => {
  expect(redactor('quote"and\\slash').redact(JSON.stringify({ key: 'quote"and\\slash' }))).toBe('{"key":"[redacted]"}');
});

test('takes out the longer of two keys that begin alike', () => {
  expect(redactor('password', 'password-longer').redact('password-longer')).toBe('[redacted]');
});

test('leaves values under 8 characters alone: they would be words', () => {
  expect(redactor('short').redact('a short text')).toBe('a short text');
});

test('leaves a text alone that holds only a common beginning of keys', () => {
  expect(redactor(key).redact('keys start with sk-proj-')).toBe('keys start with sk-proj-');
});
