import { findBackends, uniqueNames } from '../../../core/cli/init/find-backends';
import type { Sighting } from '../../../core/cli/init/sighting';
import { Environment } from '../../../core/config/environment';
import { bundledPlugins } from '../../../core/plugins/discover';
import { PluginRegistry } from '../../../core/plugins/registry';

const sighting = (name: string, driver: string) =>
  ({ sort: 'key', manifest: { driver, aliases: [] }, provider: { name } }) as unknown as Sighting;

test('a name that is taken gets the driver behind it, then a number', () => {
  const all = [sighting('a', 'x'), sighting('a', 'y'), sighting('a', 'y'), sighting('a', 'y')];
  expect(uniqueNames(all).map(({ provider }) => provider.name)).toEqual(['a', 'a-y', 'a-2', 'a-3']);
});

const keyAt = async (processEnvironment: Record<string, string>) => {
  const { sightings } = await findBackends(
    new PluginRegistry(bundledPlugins()),
    new Environment({ processEnvironment }),
  );
  return sightings.find(({ provider }) => provider.name === 'openai');
};

test.each([
  [{}, true],
  [{ OPENAI_BASE_URL: 'https://api.openai.com/v1/' }, true],
  [{ OPENAI_BASE_URL: ' ' }, true],
  [{ OPENAI_BASE_URL: 'http://127.0.0.1:8080/v1' }, false],
  [{ OPENAI_BASE_URL: 'not an address' }, false],
])('a key beside %j is found: %s', async (more, isFound) => {
  const key = await keyAt({ ...more, OPENAI_API_KEY: 'sk-some-key-of-a-test' });
  expect(key?.where !== undefined).toBe(isFound);
});

test('a key of another server is not tried, and the command that adds the server is told', async () => {
  const key = await keyAt({ OPENAI_BASE_URL: 'https://llm.example/v1', OPENAI_API_KEY: 'sk-some-key-of-a-test' });
  expect(key?.get).toBe(
    'OPENAI_API_KEY is for the server of OPENAI_BASE_URL: drivebay providers add openai --base-url "$OPENAI_BASE_URL" --api-key-env OPENAI_API_KEY',
  );
});
