import { Redactor } from '../../core/contract/redact';

const redactor = new Redactor();
redactor.add('key-12345678');

test('every string in it is redacted, names of fields included, and the rest stays', () => {
  const data = { a: ['key-12345678', 1, null, { deep: 'x key-12345678 y' }], 'key-12345678': true };
  expect(redactor.redactData(data)).toEqual({
    a: ['[redacted]', 1, null, { deep: 'x [redacted] y' }],
    '[redacted]': true,
  });
});

test('what was given is not touched, and the copy does not change with it', () => {
  const data = { list: ['key-12345678'] };
  const copy = redactor.redactData(data);
  data.list.push('more');
  expect([data.list[0], copy.list]).toEqual(['key-12345678', ['[redacted]']]);
});

test('large integers become text, and a circle is an error', () => {
  expect(redactor.redactData({ size: 10n })).toEqual({ size: '10' });
  const circle: Record<string, unknown> = {};
  circle.self = circle;
  expect(() => redactor.redactData(circle)).toThrow(/circular/);
});
