import { countOf, isFields, textOf } from '../_shared/fields';

export interface Unwrapped {
  text: string;
  /** The words to look for signs in: with the vendor's own codes. */
  signs: string;
  status: number | undefined;
}

/** Takes the vendor's words out of what the CLIs wrap them in: `[API Error: {"error": {...}}]`, `[API Error: 401 ...]`. */
export function unwrapMessage(message: string): Unwrapped {
  const inner = /^\[API Error: ([^]*)\]/.exec(message.trim())?.[1] ?? message.trim();
  const start = inner.indexOf('{');
  const body = start === -1 ? undefined : parse(inner.slice(start, inner.lastIndexOf('}') + 1));
  if (body) {
    const text = textOf(body.message);
    const status = countOf(body.code) ?? countOf(body.status);
    if (text !== undefined) return { ...unwrapMessage(text), signs: `${text} ${inner}`, ...(status && { status }) };
  }
  const [, code, rest] = /^(\d{3}) (?:status code )?([^]+)$/.exec(inner) ?? [];
  const status = code !== undefined && Number(code) >= 400 && Number(code) < 600 ? Number(code) : undefined;
  return { text: status === undefined ? inner : rest!, signs: message, status };
}

function parse(text: string): Record<string, unknown> | undefined {
  try {
    const value: unknown = JSON.parse(text);
    if (!isFields(value)) return undefined;
    return isFields(value.error) ? value.error : value;
  } catch {
    return undefined;
  }
}
