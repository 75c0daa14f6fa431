import { ToolMap } from '../../../../core/gateway/dialects/responses/tool-map';

function mapOf(...tools: object[]): ToolMap {
  const map = new ToolMap();
  map.add(tools, 'tools');
  return map;
}

const fn = (name: string) => ({ type: 'function', name });

test('members of a namespace have its name in front, and find back', () => {
  const map = mapOf({ type: 'namespace', name: 'n', tools: [fn('f'), { type: 'custom', name: 'c' }] }, fn('f'));
  expect(map.tools.map(({ name }) => name)).toEqual(['n__f', 'n__c', 'f']);
  expect(map.client.find('n__f')).toEqual({ kind: 'function', name: 'f', namespace: 'n' });
  expect(map.client.find('n__c')).toEqual({ kind: 'custom', name: 'c', namespace: 'n' });
  expect(map.flatName('c', 'n')).toBe('n__c');
});

test('two tools never have one name, however long or odd', () => {
  const long = 'x'.repeat(80);
  const map = mapOf(
    fn('n__f'),
    { type: 'namespace', name: 'n', tools: [fn('f')] },
    fn('a.b'),
    fn('a_b'),
    fn(long),
    fn(`${long}y`),
  );
  const names = map.tools.map(({ name }) => name);
  expect(new Set(names).size).toBe(6);
  for (const name of names) expect(name).toMatch(/^[a-zA-Z0-9_-]{1,64}$/);
  expect(names.map((name) => map.client.find(name).name)).toEqual(['n__f', 'f', 'a.b', 'a_b', long, `${long}y`]);
});

test('of two lists with one name the first counts', () => {
  const map = mapOf({ ...fn('f'), description: 'first' });
  map.add([{ ...fn('f'), description: 'second' }], 'input[0].tools');
  expect(map.tools).toEqual([{ name: 'f', description: 'first' }]);
});

test('a name that was not offered goes to the client as it is', () => {
  expect(mapOf().client.find('invented')).toEqual({ kind: 'function', name: 'invented', namespace: undefined });
});
