import type { ChatRequest, Tool, ToolChoice } from 'drivebay/plugin';
import type { FunctionCallingConfig, FunctionCallingConfigMode, Tool as NativeTool } from '@google/genai';
import { fieldsOf, listOf, textOf, type Fields } from '../_shared/fields';
import type { MakeError } from '../_shared/http/explain-error';
import { toNativeSchema } from './schema';

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
  makeError: MakeError,
): FunctionCallingConfig | undefined {
  if (!toolChoice) return undefined;
  if (!tools && (toolChoice.type === 'auto' || toolChoice.type === 'none')) return undefined;
  if (toolChoice.type === 'tool') return config('ANY', [toolChoice.name]);
  if (toolChoice.type !== 'other') return config(MODES[toolChoice.type]);
  const allowed = readAllowed(toolChoice);
  if (allowed) return allowed;
  const message = 'tool_choice has a form that cannot be sent to this vendor';
  throw makeError('invalid_request', message, { param: 'tool_choice' });
}

/** `allowed_tools` of the wire: some of the tools, to be used freely or not. */
function readAllowed({ value }: Extract<ToolChoice, { type: 'other' }>): FunctionCallingConfig | undefined {
  const { mode, tools } = fieldsOf(fieldsOf(value).allowed_tools);
  const names = listOf(tools).map((tool) => fieldsOf(fieldsOf(tool).function).name);
  const isClear = names.length > 0 && names.every((name) => typeof name === 'string' && name !== '');
  return isClear ? config(mode === 'required' ? 'ANY' : 'VALIDATED', names as string[]) : undefined;
}

function config(mode: string, names?: string[]): FunctionCallingConfig {
  return { mode: mode as FunctionCallingConfigMode, allowedFunctionNames: names };
}

function toDeclaration({ name, description, parameters }: Tool): Fields {
  return { name, description, parametersJsonSchema: parameters && toNativeSchema(parameters) };
}

function toCamelCase(name: string): string {
  return name.replace(/_([a-z])/g, (_, letter: string) => letter.toUpperCase());
}
