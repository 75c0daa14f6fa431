import { keysIn, showAddress, showAddresses } from '../../core/config/addresses';

test('an address is shown without user, password and query', () => {
  expect(showAddress('https://u:p@ss@host:1/v1/@scope/x?a=1&key=2')).toBe('https://...@host:1/v1/@scope/x?...');
  expect(showAddress('http://host/v1')).toBe('http://host/v1');
  expect(showAddresses('--url=http://u:p@h/v1?key=1 and "https://i?token=2"')).toBe(
    '--url=http://...@h/v1?... and "https://i?..."',
  );
});

test.each<[string, string[]]>([
  ['http://ann:hunter2%21@host/v1', ['hunter2%21', 'hunter2!']],
  ['http://sk-123456@host/v1', ['sk-123456']],
  ['http://ann@host/v1?api-version=2024-10-21&max_tokens=5', []],
  ['http://host/v1?x=1&api_key=one&token=two', ['one', 'two']],
  ['http://host/v1?x=aB3aB3aB3aB3aB3aB3aB3', ['aB3aB3aB3aB3aB3aB3aB3']],
  ['no address', []],
])('the keys in %s', (address, keys) => {
  expect(keysIn(address)).toEqual(keys);
});
