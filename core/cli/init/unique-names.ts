import type { Sighting } from './sighting';

/** Gives each sighting a name of its own: the manifest's, else with the driver's name, else with a number. */
export function uniqueNames(sightings: readonly Sighting[], taken: Iterable<string> = []): Sighting[] {
  const names = new Set(taken);
  return sightings.map((sighting) => {
    const { provider, manifest } = sighting;
    const wanted = [provider.name, `${provider.name}-${manifest.driver}`];
    let name = wanted.find((each) => !names.has(each));
    for (let number = 2; name === undefined; number += 1) {
      const next = `${provider.name}-${number}`;
      if (!names.has(next)) name = next;
    }
    names.add(name);
    return { ...sighting, provider: { ...provider, name } };
  });
}
