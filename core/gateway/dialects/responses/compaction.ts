import type { ChatRequest } from '../../../contract/api';

/** Tells a summary of ours from the encrypted one of a vendor. */
const MARKER = 'drivebay-summary-1:';

const ASK = `Write a summary of this conversation, so that another model can go on with the work from the summary alone.
Say what the user wants, what was done and decided and why, which files, commands and results matter, what is left to do,
and the next step. Keep names, paths and numbers exact. Answer with the summary only.`;

const INTRODUCTION = 'The earlier part of this conversation was replaced by this summary of it:';

/** The item by which a client asks for a summary in place of an answer. */
export const TRIGGER = { type: 'compaction_trigger' };

export function isTrigger(item: Record<string, unknown> | undefined): boolean {
  return item?.type === TRIGGER.type;
}

/** Turns a chat into the question for its summary. The tools stay: some vendors want those of earlier calls. */
export function askForSummary(chat: ChatRequest): void {
  chat.messages.push({ role: 'user', parts: [{ type: 'text', text: ASK }] });
  if (chat.tools) chat.toolChoice = { type: 'none' };
  delete chat.responseFormat;
}

/** The item that takes the place of what was summed up. The client keeps its content without reading it. */
export function summaryItem(id: string, summary: string): Record<string, unknown> {
  return { type: 'compaction', id, encrypted_content: MARKER + Buffer.from(summary).toString('base64') };
}

/** The text for the model; undefined for what a vendor encrypted. */
export function readSummary(content: unknown): string | undefined {
  if (typeof content !== 'string' || !content.startsWith(MARKER)) return undefined;
  return `${INTRODUCTION}\n\n${Buffer.from(content.slice(MARKER.length), 'base64').toString()}`;
}
