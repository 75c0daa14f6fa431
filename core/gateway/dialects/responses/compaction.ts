import { introduce } from '../../summary';

/** Tells a summary of ours from the encrypted one of a vendor. */
const MARKER = 'drivebay-summary-1:';

/** The item by which a client asks for a summary in place of an answer. */
export const TRIGGER = { type: 'compaction_trigger' };

export function isTrigger(item: Record<string, unknown> | undefined): boolean {
  return item?.type === TRIGGER.type;
}

/** The item that takes the place of what was summed up. The client keeps its content without reading it. */
export function summaryItem(id: string, summary: string): Record<string, unknown> {
  return { type: 'compaction', id, encrypted_content: MARKER + Buffer.from(summary).toString('base64') };
}

/** The text for the model; undefined for what a vendor encrypted. */
export function readSummary(content: unknown): string | undefined {
  if (typeof content !== 'string' || !content.startsWith(MARKER)) return undefined;
  return introduce(Buffer.from(content.slice(MARKER.length), 'base64').toString());
}
