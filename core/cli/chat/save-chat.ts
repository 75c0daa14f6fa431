import { statSync } from 'node:fs';
import { resolve } from 'node:path';
import { codeOf, HintedError } from '../../errors';
import { homeFolder } from '../../paths';
import { writeWhole } from '../../write-whole';
import { explainWrite } from '../explain-write';
import { workingDirectory } from '../here';
import type { Conversation } from './conversation';

interface Saving {
  /** The provider that answers where the chat names none. A gateway wants a name in each request. */
  defaultProvider: string | null;
  /** Whether this chat has written the file before. */
  mayReplace: (path: string) => boolean;
}

/**
 * Writes a conversation into a file for the user alone, or with the mode that the file has: as the body of a request to the gateway where its name ends with
 * `.json`, else as Markdown. Returns its path.
 */
export function saveChat(chat: Conversation, name: string, { defaultProvider, mayReplace }: Saving): string {
  const path = resolve(workingDirectory(), name.replace(/^~(?=\/|$)/, homeFolder(process.env) ?? '~'));
  const text = path.endsWith('.json')
    ? `${JSON.stringify(toRequest(chat, defaultProvider), undefined, 2)}\n`
    : toMarkdown(chat);
  try {
    const mode = statSync(path, { throwIfNoEntry: false })?.mode;
    writeWhole(path, text, { isNew: !mayReplace(path), mode: mode && mode & 0o777 });
  } catch (error) {
    if (codeOf(error) === 'EEXIST') throw new HintedError(`${path} exists already`, 'name another one');
    throw explainWrite(path, error, 'name a file in another folder');
  }
  return path;
}

function all({ system, messages }: Conversation): Conversation['messages'] {
  return system ? [{ role: 'system', content: system }, ...messages] : messages;
}

function toRequest(chat: Conversation, defaultProvider: string | null): object {
  const model = [chat.provider ?? defaultProvider, chat.model].filter(Boolean).join(':');
  return { model: model || undefined, messages: all(chat) };
}

const HEADINGS = { system: 'System', user: 'You', assistant: 'Model' };

function toMarkdown(chat: Conversation): string {
  return `${all(chat)
    .map(({ role, content }) => `## ${HEADINGS[role]}\n\n${content.trim()}\n`)
    .join('\n')}`;
}
