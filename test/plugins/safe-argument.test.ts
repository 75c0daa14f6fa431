import { safeArgument } from '../../core/plugins/safe-argument';

const check = (value: string) => safeArgument(value, 'model');

it.each(['opus', 'vendor/model:tag', 'two words', '$(reboot)', 'é', 'a'.repeat(131_071)])('takes %j', (value) => {
  expect(check(value)).toBe(value);
});

it.each(['', '-', '--model', 'a\nb', 'a\0b', '\u001b[2J', 'a'.repeat(131_072), 'é'.repeat(65_536)])(
  'refuses %j and names the field',
  (value) => {
    expect(() => check(value)).toThrow(expect.objectContaining({ code: 'invalid_request', param: 'model' }) as Error);
  },
);
