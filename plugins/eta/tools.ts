import type { ChatRequest, Tool, ToolChoice } from 'drivebay/plugin';
import { isFields, type Fields } from '../_shared/fields';
import type { MakeError } from '../_shared/http/explain-error';
import { withoutChoices } from '../_shared/plain-schema';

/** Spells the tools and the choice among them. Names of what cannot be spelled are added to `ignored`. */
export function toWireTools(
  request: ChatRequest,
  takesStrict: boolean,
  ignored: string[],
  makeError: MakeError,
): { tools: Fields[]; toolChoice: Fields | undefined } {
  const tools: Fields[] = [];
  for (const [index, tool] of (request.tools ?? []).entries()) {
    const spelled = toWireTool(tool, takesStrict);
    if (spelled) tools.push(spelled);
    else ignored.push(`tools[${index}]`);
  }
  if (!takesStrict && request.tools?.some(({ strict }) => strict !== undefined)) ignored.push('tools.strict');
  const isParallel = request.extra.parallel_tool_calls !== false;
  return { tools, toolChoice: toWireChoice(request.toolChoice, tools.length > 0, isParallel, makeError) };
}

function toWireTool({ raw, name, description, parameters, strict }: Tool, takesStrict: boolean): Fields | undefined {
  const definition = isFields(raw?.function) ? raw.function : undefined;
  // A tool of the vendor's own kinds goes as it is; a custom tool of chat completions has no schema.
  if (raw && !definition) return isFields(raw.custom) ? undefined : raw;
  const { type: _type, function: _function, ...further } = raw ?? {};
  const { name: _name, description: _description, parameters: _parameters, strict: _strict, ...own } = definition ?? {};
  const spelled: Fields = {
    ...further,
    ...own,
    name,
    input_schema: { type: 'object', ...withoutChoices(parameters ?? {}) },
  };
  if (description !== undefined) spelled.description = description;
  if (strict !== undefined && takesStrict) spelled.strict = strict;
  return spelled;
}

function toWireChoice(
  choice: ToolChoice | undefined,
  hasTools: boolean,
  isParallel: boolean,
  makeError: MakeError,
): Fields | undefined {
  const single = isParallel ? {} : { disable_parallel_tool_use: true };
  switch (choice?.type) {
    case undefined:
      return hasTools && !isParallel ? { type: 'auto', ...single } : undefined;
    case 'auto':
      return hasTools ? { type: 'auto', ...single } : undefined;
    case 'none':
      return hasTools ? { type: 'none' } : undefined;
    case 'required':
      return { type: 'any', ...single };
    case 'tool':
      return { type: 'tool', name: choice.name, ...single };
    case 'other':
      return toOwnChoice(choice.value, single, makeError);
  }
}

const OWN_CHOICES = new Set<unknown>(['auto', 'any', 'tool', 'none']);

/** The vendor's own forms go as they are. */
function toOwnChoice(value: unknown, single: Fields, makeError: MakeError): Fields {
  const choice = typeof value === 'string' ? { type: value } : value;
  if (isFields(choice) && OWN_CHOICES.has(choice.type))
    return choice.type === 'none' ? choice : { ...choice, ...single };
  throw makeError('invalid_request', 'this tool_choice has no equivalent: use auto, none, required or one function', {
    param: 'tool_choice',
  });
}
