import { isFields, type Fields } from '../_shared/fields';
import type { Turn } from './conversation';

/** The vendor refuses more in one request. */
const LIMIT = 4;

/** The lists of a request in the order in which the vendor caches them. */
export interface CachedLists {
  tools: Fields[];
  system: Fields[];
  turns: Turn[];
  /** The client's wish to have the end of the request cached: it counts as one. */
  whole: unknown;
}

/**
 * Marks the end of the tools, of the system prompt and of the last user turn for the prompt cache, as far as the client's
 * own breakpoints leave room; its own stay as they are. Returns how many were set.
 */
export function addBreakpoints(lists: CachedLists): number {
  const { tools, system, turns, whole } = lists;
  const contents = turns.map(({ content }) => content);
  const lastUser = turns.findLast(({ role }) => role === 'user')?.content ?? [];
  const theirs = countBreakpoints(lists);
  let own = 0;
  const mark = (blocks: Fields[], position: number, after: Fields[][]): void => {
    const block = blocks[position];
    if (!block || hasBreakpoint(block) || own + theirs >= LIMIT) return;
    // The vendor refuses an hour after five minutes.
    const ttl = isHour(whole) || after.flat().some((later) => isHour(later.cache_control)) ? { ttl: '1h' } : {};
    blocks[position] = { ...block, cache_control: { type: 'ephemeral', ...ttl } };
    own += 1;
  };
  // In the order of their worth: the longest prefix first.
  if (!whole) mark(lastUser, lastUser.length - 1, contents.slice(contents.indexOf(lastUser) + 1));
  mark(system, system.length - 1, contents);
  const lastTool = tools.findLastIndex((tool) => tool.defer_loading !== true);
  mark(tools, lastTool, [system, ...contents]);
  return own;
}

/** How many the client has set. */
export function countBreakpoints({ tools, system, turns, whole }: CachedLists): number {
  const blocks = [tools, system, ...turns.map(({ content }) => content)].flat();
  return blocks.reduce((sum, block) => sum + countIn(block), whole ? 1 : 0);
}

/** The content of a tool's result may hold some as well. */
function countIn(block: Fields): number {
  const inner = Array.isArray(block.content) ? block.content.filter(isFields).filter(hasBreakpoint).length : 0;
  return inner + (hasBreakpoint(block) ? 1 : 0);
}

function hasBreakpoint(block: Fields): boolean {
  return isFields(block.cache_control);
}

function isHour(control: unknown): boolean {
  return isFields(control) && control.ttl === '1h';
}
