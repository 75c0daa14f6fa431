import { randomUUID } from 'node:crypto';
import { writeFileSync } from 'node:fs';
import { join } from 'node:path';
import type { ChatRequest, DriverContext, PromptLayout, Session, Workspace } from 'drivebay/plugin';
import { isInstruction } from '../_shared/http/message-parts';

/** What is written to the standard input, and the system prompt that goes another way. */
export function toPrompt(
  { messages }: Pick<ChatRequest, 'messages'>,
  context: Pick<DriverContext, 'layoutPrompt'>,
  { workspace, separateSystem }: { workspace: Workspace | undefined; separateSystem: boolean },
): PromptLayout {
  const layout = context.layoutPrompt(messages, { separateSystem });
  // A prompt that starts with a slash is a command of the program, and never reaches the model.
  const prompt = workspace ? withInstructions(layout.prompt, workspace) : layout.prompt.replace(/^\//, '\n/');
  return { ...layout, prompt };
}

/** The same for a session of the program that goes on: it has heard all but the last messages. */
export function toNextPrompt(
  { messages }: ChatRequest,
  context: Pick<DriverContext, 'layoutPrompt'>,
  { holds }: Session,
  separateSystem: boolean,
): PromptLayout {
  // Where the system messages stand in the prompt, the session has them.
  const told = separateSystem ? messages.filter(isInstruction) : [];
  const next = [...told, ...messages.slice(holds)];
  return toPrompt({ messages: next }, context, { workspace: undefined, separateSystem });
}

/** Tells the model where it is and which skills it has, before it has to look. */
function withInstructions(prompt: string, { directory, skills, first }: Workspace): string {
  const lines: string[] = [];
  if (directory) lines.push(`Working directory: ${directory}`);
  if (skills.length > 0) lines.push(`Accessible skill bundle: ${skills.map((skill) => skill.directory).join(', ')}`);
  if (!first || lines.length === 0) return prompt;
  return ['# Instructions', ...lines, '# User request', prompt].join('\n\n');
}

/**
 * Writes a system prompt to a file that only the user can read, and returns its path. Every user of the machine can read
 * arguments, which have a limit of 128 KiB. Synchronous, because other threads would take several times as long.
 */
export function writeSystemPrompt(folder: string, text: string): string {
  const path = join(folder, `.system-prompt-${randomUUID()}.txt`);
  writeFileSync(path, text, { mode: 0o600, flag: 'wx' });
  return path;
}
