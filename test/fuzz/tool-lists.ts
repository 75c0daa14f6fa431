import fc from 'fast-check';
import { readTools } from '../../core/devices/mcp/read-tools';
import { nameTools } from '../../core/devices/tool-names';
import { isFields } from '../../core/fields';
import { plainSchema } from '../../plugins/_shared/plain-schema';
import { expectNoStack } from './hold';
import { mutated } from './mutated';

const REFERRING = {
  $ref: '#/$defs/where',
  $defs: { where: { type: 'object', properties: { a: { type: 'string' } } } },
};
const SAMPLES = [
  {
    tools: [
      {
        name: 'read_file',
        title: 'Read',
        description: 'Reads it.',
        inputSchema: { type: 'object', properties: { path: { type: 'string' } }, required: ['path'] },
        outputSchema: { type: 'object' },
        annotations: { readOnlyHint: true },
      },
      { name: 'read.file', inputSchema: REFERRING },
      { name: 'any', inputSchema: { anyOf: [REFERRING, { type: 'object', required: ['b'] }], properties: null } },
    ],
    nextCursor: 'more',
  },
  { tools: [{ name: 'last', inputSchema: { type: ['object', 'null'], allOf: [{ oneOf: [{ properties: {} }] }] } }] },
];

/** The pages of a list, nearly as a server gives them. The SDK lets objects alone pass. */
export const toolLists: fc.Arbitrary<Record<string, unknown>[]> = fc
  .array(mutated(SAMPLES), { minLength: 1, maxLength: 3 })
  .map((pages) => pages.map((page) => (isFields(page) ? page : { tools: page })));

/** The model gets functions with names of their own that every vendor takes, and the user a line for each that is left out. */
export async function checkList(pages: readonly Record<string, unknown>[]): Promise<void> {
  let asked = 0;
  const { tools, warnings } = await readTools(() => Promise.resolve(pages[asked++] ?? {}), 60_000);
  const names = [...nameTools(tools.map(({ name }) => ({ path: `/dev/mcp/box/${name}` }))).keys()];
  const isGood = names.length === tools.length && names.every((name) => /^[\w-]{1,64}$/.test(name));
  if (!isGood) throw new Error(`names: ${JSON.stringify(names)}`);
  for (const { description = '', parameters } of tools) {
    if (typeof description !== 'string') throw new Error('a description is no text');
    const { type, properties } = JSON.parse(JSON.stringify(plainSchema(parameters))) as Record<string, unknown>;
    if (type !== 'object' || !isFields(properties) || !Object.values(properties).every(isFields))
      throw new Error(`no schema of an object: ${JSON.stringify(parameters)}`);
  }
  for (const warning of warnings) expectNoStack(warning);
  if (warnings.length > 11) throw new Error('too many warnings');
}
