import { DriverError } from '../../../core/contract/driver-error';
import { clientTools, upstreamName } from '../../../plugins/gamma-cli/acp/client-tools';
import { chatRequest } from '../harness';

const error = (...parts: ConstructorParameters<typeof DriverError>) => new DriverError(...parts);

describe.each(['gemini', 'qwen'] as const)('%s', (dialect) => {
  const namesOf = (...names: string[]) => {
    const { tools, names: renamed } = clientTools(
      chatRequest({ tools: names.map((name) => ({ name })) }),
      { error },
      dialect,
    );
    const restored = tools.map(({ name }) => renamed?.restore({ type: 'tool_call', index: 0, name }) ?? { name });
    return { given: tools.map(({ name }) => name), restored: restored.map((event) => 'name' in event && event.name) };
  };

  test('a name is short enough with what stands before it: the program would shorten it in another way', () => {
    const names = ['a'.repeat(64), `${'a'.repeat(63)}b`, 'a'.repeat(51), 'a'.repeat(49), 'b'.repeat(48)];
    const { given, restored } = namesOf(...names);
    for (const name of given) expect(upstreamName(name, dialect).length).toBeLessThanOrEqual(63);
    expect([new Set(given).size, restored, given.at(-1)]).toEqual([5, names, 'b'.repeat(48)]);
  });

  test('a name that every object has is another one: with it a program leaves out all tools', () => {
    const names = ['__proto__', 'constructor', 'toString', 'hasOwnProperty', '-x', '1', 'a b'];
    const { given, restored } = namesOf(...names);
    for (const name of given) expect(name in {} || !/^[a-zA-Z_][\w-]*$/.test(name)).toBe(false);
    expect(restored).toEqual(names);
  });
});
