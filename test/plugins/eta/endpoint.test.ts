import { keyHeaders, resolveEndpoint, SAMPLING_VERSION } from '../../../plugins/eta/endpoint';

test('the vendor gets the key as its SDK sends it, its older version as that one reads it', () => {
  expect(keyHeaders('k', true)).toEqual({ Authorization: 'Bearer k' });
  expect(keyHeaders('k', true, SAMPLING_VERSION)).toEqual({
    Authorization: null,
    'X-Api-Key': 'k',
    'anthropic-version': '2023-06-01',
  });
});

test.each([
  ['https://api.anthropic.com', true],
  ['https://eu.api.anthropic.com/v1', true],
  ['https://anthropic.com.evil.example', false],
  ['https://notanthropic.com', false],
])('%s is the vendor: %s', (url, expected) => {
  expect(resolveEndpoint(url).isVendor).toBe(expected);
});
