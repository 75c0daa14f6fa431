import type { ChatRequest, DriverContext, Tool, ToolChoice } from 'drivebay/plugin';
import type { FunctionCallingConfig, FunctionCallingConfigMode, Tool as NativeTool } from '@google/genai';
import { isFields, textOf, type Fields } from '../_shared/fields';

/** The vendor's own tools, which a client may ask for by their names as the type of a tool. */
const NATIVE = new Set([
  'googleSearch',
  'googleSearchRetrieval',
  'googleMaps',
  'codeExecution',
  'urlContext',
  'fileSearch',
  'computerUse',
]);

const MODES = { auto: 'AUTO', none: 'NONE', required: 'ANY' } as const;

/** The tools to send; the places of those that mean nothing to the vendor are added to `ignored`. */
export function toNativeTools(tools: Tool[] = [], ignored: string[]): NativeTool[] | undefined {
  const functions: Tool[] = [];
  const native: NativeTool[] = [];
  tools.forEach((tool, index) => {
    const type = toCamelCase(textOf(tool.raw?.type) ?? 'function');
    if (type === 'function') functions.push(tool);
    else if (NATIVE.has(type)) native.push({ [type]: tool.raw![type] ?? tool.raw![tool.name] ?? {} });
    else ignored.push(`tools[${index}]`);
  });
  if (functions.some(({ strict }) => strict === true)) ignored.push('tools.strict');
  if (functions.length > 0) native.unshift({ functionDeclarations: functions.map(toDeclaration) });
  return native.length > 0 ? native : undefined;
}

/** Undefined where the choice says nothing: the vendor refuses one without tools. */
export function toCallingConfig(
  { tools, toolChoice }: ChatRequest,
  makeError: DriverContext['error'],
): FunctionCallingConfig | undefined {
  if (!toolChoice) return undefined;
  if (!tools && (toolChoice.type === 'auto' || toolChoice.type === 'none')) return undefined;
  if (toolChoice.type === 'tool') return config('ANY', [toolChoice.name]);
  if (toolChoice.type !== 'other') return config(MODES[toolChoice.type]);
  return readAllowed(toolChoice) ?? refuse(makeError);
}

/** `allowed_tools` of the wire: some of the tools, to be used freely or not. */
function readAllowed({ value }: Extract<ToolChoice, { type: 'other' }>): FunctionCallingConfig | undefined {
  const allowed = isFields(value) ? value.allowed_tools : undefined;
  if (!isFields(allowed) || !Array.isArray(allowed.tools)) return undefined;
  const names = allowed.tools.map((tool) => (isFields(tool) && isFields(tool.function) ? tool.function.name : ''));
  const isClear = names.length > 0 && names.every((name) => typeof name === 'string' && name !== '');
  return isClear ? config(allowed.mode === 'required' ? 'ANY' : 'VALIDATED', names as string[]) : undefined;
}

function config(mode: string, names?: string[]): FunctionCallingConfig {
  return { mode: mode as FunctionCallingConfigMode, ...(names && { allowedFunctionNames: names }) };
}

function refuse(makeError: DriverContext['error']): never {
  throw makeError('invalid_request', 'tool_choice has a form that cannot be sent to this vendor', {
    param: 'tool_choice',
  });
}

function toDeclaration({ name, description, parameters }: Tool): Fields {
  return {
    name,
    ...(description !== undefined && { description }),
    ...(parameters && { parametersJsonSchema: parameters }),
  };
}

function toCamelCase(name: string): string {
  return name.replace(/_([a-z])/g, (_, letter: string) => letter.toUpperCase());
}
