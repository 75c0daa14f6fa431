import { parseJson } from '../fields';

/** Longer messages are cut. */
const MESSAGE_LIMIT = 2_000;

/** The message inside the body of an error answer, in the shapes that servers use; undefined when there is none. */
export function findErrorMessage(body: string): string | undefined {
  // Each expression reads a body once, so a backend that repeats a character does not block all other requests.
  const message = isHtml(body) ? readHtml(body) : (findMessage(parseJson(body, body)) ?? body);
  // A colon at the end has lost the text behind it, such as a key that was left out. Other words will follow the message.
  const line = message
    .replace(/\s+/g, ' ')
    .trim()
    .replace(/(?<![\s:,;])[\s:,;]+$/, '');
  if (line === '') return undefined;
  return line.length > MESSAGE_LIMIT ? `${line.slice(0, MESSAGE_LIMIT - 1)}…` : line;
}

export function isHtml(body: string): boolean {
  return /^\s*(<!doctype html|<html|<head|<body)/i.test(body);
}

function findMessage(value: unknown, depth = 0): string | undefined {
  if (typeof value === 'string') return value || undefined;
  if (typeof value !== 'object' || value === null || depth > 4) return undefined;
  if (Array.isArray(value)) return findMessage(value[0], depth + 1);
  const fields = value as Record<string, unknown>;
  for (const name of ['error', 'message', 'msg', 'detail', 'errors', 'error_description']) {
    const message = findMessage(fields[name], depth + 1);
    if (message !== undefined) return message;
  }
  return undefined;
}

/** The title of the page of a proxy or a web server; without one its first words. */
function readHtml(body: string): string {
  const title = /<title[^<>]*>([^<]+)/i.exec(body)?.[1]?.trim();
  if (title) return title;
  const words = body.replace(/<(script|style)\b[\s\S]*?(?:<\/\1>|$)/gi, ' ').replace(/<[^<>]*>/g, ' ');
  return words.replace(/\s+/g, ' ').trim().slice(0, 200);
}
