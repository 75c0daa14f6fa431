import type { Sighting } from '../../../core/cli/init/sighting';
import { uniqueNames } from '../../../core/cli/init/find-backends';

const sighting = (name: string, driver: string) =>
  ({ sort: 'key', manifest: { driver, aliases: [] }, provider: { name } }) as unknown as Sighting;

test('a name that is taken gets the driver behind it, then a number', () => {
  const all = [sighting('a', 'x'), sighting('a', 'y'), sighting('a', 'y'), sighting('a', 'y')];
  expect(uniqueNames(all).map(({ provider }) => provider.name)).toEqual(['a', 'a-y', 'a-2', 'a-3']);
});
