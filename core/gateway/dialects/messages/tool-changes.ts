import { isFields } from '../../../fields';
import type { RequestFields } from './request-fields';

type WireTool = NonNullable<RequestFields['tools']>[number];

/** The tools at the end of a conversation: entries of its messages add and remove some on the way. */
export function toolsNow(tools: readonly WireTool[], messages: RequestFields['messages']): readonly WireTool[] {
  const changes = messages.flatMap(({ content }) => (Array.isArray(content) ? content.flatMap(changesIn) : []));
  if (changes.length === 0) return tools;
  const added = new Map<unknown, WireTool>();
  const removed = new Set<unknown>();
  for (const { type, tool } of changes) {
    if (!isFields(tool)) continue;
    const { definition = tool } = tool;
    if (!isFields(definition)) continue;
    if (type === 'tool_removal') removed.add(definition.name);
    else removed.delete(definition.name);
    if (tool.definition !== undefined) added.set(definition.name, definition);
  }
  const kept = [...tools.filter(({ name }) => !added.has(name)), ...added.values()];
  return kept.filter(({ name }) => !removed.has(name));
}

const CHANGES: ReadonlySet<unknown> = new Set(['tool_addition', 'tool_removal']);

/** A summary tells those of the messages that it has replaced. */
function changesIn(block: unknown): Record<string, unknown>[] {
  if (!isFields(block)) return [];
  if (CHANGES.has(block.type)) return [block];
  return block.type === 'compaction' && Array.isArray(block.tool_changes) ? block.tool_changes.filter(isFields) : [];
}
