import type { ChatRequest } from '../contract/api';

const ASK = `Write a summary of this conversation, so that another model can go on with the work from the summary alone.
Say what the user wants, what was done and decided and why, which files, commands and results matter, what is left to do,
and the next step. Keep names, paths and numbers exact. Answer with the summary only.`;

const INTRODUCTION = 'The earlier part of this conversation was replaced by this summary of it:';

/** Turns a chat into the question for its summary. The tools stay: some vendors want those of earlier calls. */
export function askForSummary(chat: ChatRequest, question = ASK): void {
  chat.messages.push({ role: 'user', parts: [{ type: 'text', text: question }] });
  if (chat.tools) chat.toolChoice = { type: 'none' };
  delete chat.responseFormat;
}

/** What the model reads in the place of a part of its conversation. */
export function introduce(summary: string): string {
  return `${INTRODUCTION}\n\n${summary}`;
}
