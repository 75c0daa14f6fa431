import { type Fields, isFields } from '../../fields';
import { isTooDeep, MOST_LEVELS } from '../../http/nesting';
import type { ServerTool } from '../tool-server';
import { nextPageOf } from './vendor-words';

const MOST_TOOLS = 1_000;
const MOST_PAGES = 100;
/** No tool that a person wrote has more. Each request to a model carries it. */
const LARGEST_TOOL = 256 * 1024;
const LARGEST_LIST = 4 * 1024 * 1024;
const MOST_WARNINGS = 10;

export interface ToolList {
  tools: ServerTool[];
  /** What was left out, and why. */
  warnings: string[];
}

/**
 * Reads all pages of a list of tools, within `limitMs` for all of them. A tool that cannot be used is left out; the others
 * stay. `ask` gets the time limit of its page.
 */
export async function readTools(
  ask: (page: string | undefined, leftMs: number) => Promise<Record<string, unknown>>,
  limitMs: number,
): Promise<ToolList> {
  const deadline = performance.now() + limitMs;
  const found = new Map<string, ServerTool>();
  const warnings: string[] = [];
  let size = 0;
  let page: string | undefined;
  for (let count = 0; count < MOST_PAGES; count += 1) {
    const leftMs = deadline - performance.now();
    if (leftMs <= 0) throw new Error(`its list of tools is not complete after ${limitMs / 1000} s`);
    const result = await ask(page, leftMs);
    const { tools } = result;
    for (const value of Array.isArray(tools) ? (tools as unknown[]) : []) {
      const tool = toTool(value);
      const length = typeof tool === 'string' ? 0 : JSON.stringify(tool).length;
      if (typeof tool === 'string') warnings.push(tool);
      else if (found.has(tool.name)) warnings.push(`a second tool ${shown(tool.name)} is left out`);
      else if (length > LARGEST_TOOL) warnings.push(`tool ${shown(tool.name)} is left out: it is over 256 KiB`);
      else if (found.size >= MOST_TOOLS || size + length > LARGEST_LIST) {
        warnings.push('further tools are left out: there are over 1000, or they are over 4 MiB');
        return { tools: [...found.values()], warnings: atMost(warnings) };
      } else {
        found.set(tool.name, tool);
        size += length;
      }
    }
    const next = nextPageOf(result);
    if (next === undefined || next === page) break;
    page = next;
    if (count === MOST_PAGES - 1) warnings.push(`further tools are left out: its list has over ${MOST_PAGES} pages`);
  }
  return { tools: [...found.values()], warnings: atMost(warnings) };
}

/** A tool, or why it is none. */
function toTool(value: unknown): ServerTool | string {
  if (!isFields(value) || typeof value.name !== 'string' || value.name === '')
    return 'a tool without a name is left out';
  const { name, description, inputSchema, execution } = value;
  const leftOut = (why: string) => `tool ${shown(name)} is left out: ${why}`;
  if (!isFields(inputSchema)) return leftOut('its inputSchema is not an object');
  // Vendors refuse each request with a tool whose schema they do not take.
  if ((inputSchema.type ?? 'object') !== 'object') return leftOut('its inputSchema has another type than "object"');
  if (isTooDeep(inputSchema)) return leftOut(`its inputSchema is nested deeper than ${MOST_LEVELS} levels`);
  if (isFields(execution) && execution.taskSupport === 'required') return leftOut('it runs as a task only');
  const parameters = wellFormed({ type: 'object', ...withoutEmpty(inputSchema) });
  return { name, ...(typeof description === 'string' && { description: wellFormed(description) }), parameters };
}

/** Some languages write an empty map or list as null, or an empty map as a list. Vendors refuse a request with such a schema. */
function withoutEmpty(schema: Fields): Fields {
  const isEmpty = (name: string, value: unknown) => value === null || (name === 'properties' && !isFields(value));
  return Object.fromEntries(Object.entries(schema).filter(([name, value]) => !isEmpty(name, value)));
}

const shown = (name: string) => JSON.stringify(name.slice(0, 100));

function atMost(warnings: string[]): string[] {
  const more = warnings.length - MOST_WARNINGS;
  return more > 0 ? [...warnings.slice(0, MOST_WARNINGS), `${more} more tools are left out`] : warnings;
}

/** Half of a character, as JSON has it. Servers that cut texts leave one, and vendors refuse each request with it. */
const HALF = /\\ud[89a-f]/;

/** The same value with a mark in the place of each half of a character. */
function wellFormed<T>(value: T): T {
  const json = JSON.stringify(value);
  if (!HALF.test(json)) return value;
  return JSON.parse(json, (_, each: unknown) => (typeof each === 'string' ? Buffer.from(each).toString() : each)) as T;
}
