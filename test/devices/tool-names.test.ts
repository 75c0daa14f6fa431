import { nameTools, toToolName } from '../../core/devices/tool-names';

const names = (...paths: string[]) => [...nameTools(paths.map((path) => ({ path }))).keys()];

test('the path is the name, in characters that every vendor takes', () => {
  expect(names('/dev/llm/groq', '/dev/llm/my.box', '/dev/llm/a-b_c')).toEqual(['llm_groq', 'llm_my_box', 'llm_a-b_c']);
});

test('names that would be the same, or too long, get a mark of their own', () => {
  const long = `/dev/llm/${'x'.repeat(80)}`;
  const all = names('/dev/llm/a.b', '/dev/llm/a_b', long, `${long}y`);
  expect(new Set(all).size).toBe(4);
  for (const name of all) expect(name).toMatch(/^[a-zA-Z0-9_-]{1,64}$/);
});

test('a text of any kind becomes such a name, always the same', () => {
  expect(toToolName('mcp__files')).toBe('mcp__files');
  const long = toToolName('x y'.repeat(40));
  expect(long).toMatch(/^[a-zA-Z0-9_-]{64}$/);
  expect(toToolName('x y'.repeat(40))).toBe(long);
});
