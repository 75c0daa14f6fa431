import { didYouMean, suggestProvider } from '../../core/config/did-you-mean';

describe('did you mean', () => {
  const commands = ['serve', 'providers', 'help', 'trust', 'init'];
  test.each([
    ['sevre', 'serve'],
    ['SERVE', 'serve'],
    ['provders', 'providers'],
    ['hepl', 'help'],
    ['hello', undefined],
    ['xyz', undefined],
    ['', undefined],
    ['i', undefined],
    ['a'.repeat(1_000_000), undefined],
  ])('%.20s', (word, guess) => {
    expect(didYouMean(word, commands)).toBe(guess);
  });

  test('the closest wins, the first among equals', () => {
    expect(didYouMean('base_ur', ['base_uri', 'base_url'])).toBe('base_uri');
    expect(didYouMean('default_mode', ['default_model_x', 'default_model'])).toBe('default_model');
  });
});

test.each([
  ['demo', '"demo" answers requests to a gateway of drivebay serve --demo only (providers: deepseek)'],
  ['depseek:x', 'did you mean deepseek? (providers: deepseek)'],
  ['deepseek/x', 'did you mean deepseek? (providers: deepseek)'],
  ['xyz', 'providers: deepseek'],
])('a provider that is not there: %s', (name, hint) => {
  expect(suggestProvider(name, ['deepseek'])).toBe(hint);
});
