import type { ChatRequest, DriverContext } from 'drivebay/plugin';
import { isFields, type Fields } from '../../fields';
import { plainSchema } from './plain-schema';

/** A tool of a client, as a program takes it. */
export interface OfferedTool {
  name: string;
  description?: string;
  inputSchema: Fields;
}

interface Offer {
  tools: OfferedTool[];
  /** Places in the request that have no effect, for `meta.ignored`. */
  ignored: string[];
}

/**
 * The client's tools for a program. `longestDescription`: where the program cuts one, it goes whole with the schema. The
 * names come from `ToolNames`, with the program's rule: apply them to the request first, and to the events of the answer.
 */
export function offeredTools(
  { tools = [], toolChoice }: ChatRequest,
  { error }: Pick<DriverContext, 'error'>,
  longestDescription = Infinity,
): Offer {
  const offer: Offer = { tools: [], ignored: [] };
  const places = new Map<string, number>();
  for (const [index, { name, description, parameters, strict, raw }] of tools.entries()) {
    const before = places.get(name);
    if (before !== undefined) {
      const message = `tools[${before}] and tools[${index}] have one name: ${name}`;
      throw error('invalid_request', message, { param: `tools[${index}]` });
    }
    places.set(name, index);
    // A tool of a vendor's own kind: only the vendor knows how it is called.
    if (raw && !isFields(raw.function)) {
      offer.ignored.push(`tools[${index}]`);
      continue;
    }
    if (strict === true) offer.ignored.push(`tools[${index}].strict`);
    const inputSchema = plainSchema(parameters);
    offer.tools.push({ name, ...described(description, inputSchema, longestDescription) });
  }
  if (toolChoice?.type === 'tool' && !offer.tools.some(({ name }) => name === toolChoice.name)) {
    throw error('invalid_request', `tool_choice names no tool of the request: ${toolChoice.name}`, {
      param: 'tool_choice',
    });
  }
  return offer;
}

function described(description: string | undefined, inputSchema: Fields, longest: number) {
  if (description === undefined || description === '') return { inputSchema };
  if (description.length <= longest) return { description, inputSchema };
  const note = '… (the input schema has the whole description)';
  const own = typeof inputSchema.description === 'string' ? `\n\n${inputSchema.description}` : '';
  return {
    description: description.slice(0, longest - note.length) + note,
    inputSchema: { ...inputSchema, description: description + own },
  };
}
