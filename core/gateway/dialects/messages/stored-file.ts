import type { StoredPart } from '../../../contract/api';
import { isFields } from '../../../fields';
import type { RequestFields } from './request-fields';

const FILE_ID = 'file_id';

/** The first file of the user's that only the vendor keeps. Speed: a walk through the blocks, as a search of the bytes of a long body takes a hundred times as long. */
export function storedFile(messages: RequestFields['messages']): StoredPart | undefined {
  for (const [index, { role, content }] of messages.entries()) {
    const param = role === 'user' ? findIn(content, `messages[${index}].content`) : undefined;
    if (param !== undefined) return { param, instead: 'the file itself, as base64' };
  }
  return undefined;
}

/** Results of tools hold blocks of their own. */
function findIn(content: unknown, path: string): string | undefined {
  if (!Array.isArray(content)) return undefined;
  for (const [index, block] of (content as unknown[]).entries()) {
    if (!isFields(block)) continue;
    const at = `${path}[${index}]`;
    if (typeof block[FILE_ID] === 'string') return `${at}.${FILE_ID}`;
    if (isFields(block.source) && typeof block.source[FILE_ID] === 'string') return `${at}.source.${FILE_ID}`;
    const inner = block.type === 'tool_result' ? findIn(block.content, `${at}.content`) : undefined;
    if (inner !== undefined) return inner;
  }
  return undefined;
}
