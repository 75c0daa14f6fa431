import { isFields, parseJson } from '../../fields';
import { HintedError, messageOf } from '../../errors';
import { reasonOf } from './reason-of';

const GIVE_KEY = 'add its key to headers in mcp.json: {"Authorization": "Bearer ${NAME}"}';
const LOOK_AT_URL =
  'check its url in mcp.json: it ends with /mcp for most servers, and with /sse and "type": "sse" for older ones';
const UPDATE = 'use a release of the server that also speaks an older version, or an option of the server for that';

/** What is known of a connection at the time of a failure. */
interface Circumstances {
  /** Why the connection ended by itself. This explains a failed question better than the error of the question. */
  ended?: string;
  /** The last output of the program that is no message. It may explain why no answer comes. */
  said?: string;
  /** The version of the protocol that was asked for. */
  version: string;
}

/** The failure of a question to a server, in words for its user. */
export function explainFailure(error: unknown, { ended, said, version }: Circumstances): Error {
  if (ended !== undefined) return new Error(ended);
  const { cause, code, data } = error as { cause?: unknown; code?: unknown; data?: unknown };
  const text = reasonOf(error);
  const explained = (message: string, hint?: string) => new HintedError(shorten(message), hint);
  // The platform hides the cause of a failed connection.
  if (cause && text.startsWith('fetch failed')) return explained(messageOf(cause));
  const versions = versionsIn(text, data);
  if (versions) return explained(`it speaks only MCP ${versions}, and Drivebay speaks MCP up to ${version}`, UPDATE);
  const target = /^Redirect to (\S+) not followed/.exec(text)?.[1];
  if (target) return explained(`it redirects to ${target}`, 'if you trust this address, make it the url in mcp.json');
  const type = /^(?:Unexpected content type: (.+)|Invalid content type.*)$/s.exec(text);
  if (type) return explained(`its answer is not an MCP message (${type[1] ?? 'no event stream'})`, LOOK_AT_URL);
  if (text.startsWith('it timed out') && said) return explained(`${text}; it wrote: ${said}`);
  if (typeof code !== 'number' || code < 400 || code > 599) return explained(text);
  const hint = code === 401 || code === 403 ? GIVE_KEY : code === 404 || code === 405 ? LOOK_AT_URL : undefined;
  return explained(`HTTP ${code}: ${text}`, hint);
}

/** The versions of a server that speaks none of ours. A server over HTTP says it in the body of its refusal. */
function versionsIn(text: string, data: unknown): string | undefined {
  const [, own] = /^Server's protocol version is not supported: (.+)$/.exec(text) ?? [];
  if (own !== undefined || !/protocol version/i.test(text)) return own;
  const body = parseJson(text);
  const refusal = isFields(body) && isFields(body.error) ? body.error.data : data;
  const supported: unknown = isFields(refusal) ? refusal.supported : undefined;
  return Array.isArray(supported) ? supported.join(', ') : undefined;
}

const LINE = 1_000;
export const shorten = (text: string) => (text.length > LINE ? `${text.slice(0, LINE)} ...` : text);
