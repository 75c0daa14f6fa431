import { STATUS_CODES } from 'node:http';
import { parseJson } from '../fields';
import type { DriverErrorCode, ErrorAdvice } from '../contract/api';
import { DriverError, plausibleWait } from '../contract/driver-error';
import { findErrorMessage } from './error-message';
import type { Head } from './http-exchange';
import type { ByteSource } from './parsed-body';

const PAYMENT_REQUIRED = 402;
/** The request came too late or too early, which does not make it a wrong one. */
const TOO_LATE: ReadonlySet<number> = new Set([408, 425]);
/** Not that of an address within a path. */
const DOUBLED_SLASH = /[^:]\/\/|^\/\//;
const BODY_LIMIT_BYTES = 64 * 1024;
const BODY_LIMIT_MS = 5_000;

export async function readErrorAnswer(
  url: URL,
  head: Head,
  body: ByteSource,
  advice?: ErrorAdvice,
): Promise<DriverError> {
  const { status, headers } = head;
  const retryAfterS = readRetryAfter(headers);
  const { message, answer, hint } = await describe(url, head, body);
  return new DriverError(codeForStatus(status), `${url.host} answered ${message}`, {
    ...{ status, answer, retryAfterS, hint },
    ...advice,
    kind: advice?.kind ?? (status === PAYMENT_REQUIRED ? 'billing' : undefined),
  });
}

/** The message of `readErrorAnswer` with another name in the place of the host. */
export function withoutHost(message: string, name: string): string {
  return message.replace(/^\S+(?= answered )/, name);
}

function codeForStatus(status: number): DriverErrorCode {
  if (status === 401 || status === 403) return 'auth';
  if (status === 429) return 'rate_limited';
  return status >= 300 && status < 500 && !TOO_LATE.has(status) ? 'rejected' : 'upstream';
}

async function describe(
  url: URL,
  { status, headers }: Head,
  body: ByteSource,
): Promise<{ message: string; answer?: unknown; hint?: string }> {
  if (status >= 300 && status < 400 && headers.location !== undefined) {
    body.release();
    const message = `${status}: a redirect to ${withoutSecrets(headers.location, url)}, which is not followed`;
    return { message, hint: 'if that is the address of the API, set base_url to it' };
  }
  const text = await readStart(body);
  const found = findErrorMessage(text);
  const message = found === undefined ? `${status} ${STATUS_CODES[status] ?? ''}`.trimEnd() : `${status}: ${found}`;
  const isDoubled = codeForStatus(status) === 'rejected' && DOUBLED_SLASH.test(url.pathname);
  const hint = isDoubled
    ? `take the slash at the end of base_url away: the request went to ${url.pathname}`
    : undefined;
  return { message, answer: parseJson(text, text), hint };
}

function withoutSecrets(location: string, base: URL): string {
  if (!URL.canParse(location, base.href)) return 'an invalid address';
  const { origin, pathname } = new URL(location, base);
  return origin + pathname;
}

/** Reads as much as a message can need. Of a body that is cut short or never ends, takes the part that arrived. */
export async function readStart(body: ByteSource): Promise<string> {
  const chunks: Uint8Array[] = [];
  let size = 0;
  const timer = setTimeout(() => body.release(), BODY_LIMIT_MS);
  try {
    while (size < BODY_LIMIT_BYTES) {
      const batch = await body.take();
      if (!batch) break;
      chunks.push(...batch);
      for (const chunk of batch) size += chunk.length;
    }
  } catch {
    // The status is known already. It matters more than how the rest of the answer failed.
  } finally {
    clearTimeout(timer);
    body.release();
  }
  return Buffer.concat(chunks).subarray(0, BODY_LIMIT_BYTES).toString('utf8');
}

/** When the server wants to be asked again, in whole seconds from now. */
export function readRetryAfter(headers: Record<string, string>, now = Date.now()): number | undefined {
  const ms = toNumber(headers['retry-after-ms']);
  if (ms !== undefined) return plausibleWait(ms / 1000);
  const value = headers['retry-after'];
  const seconds = toNumber(value);
  if (seconds !== undefined || value === undefined) return plausibleWait(seconds);
  // A date of HTTP begins with a weekday. `Date.parse` would find a date in nearly any text.
  return /^\s*[A-Za-z]{3}/.test(value) ? plausibleWait((Date.parse(value) - now) / 1000) : undefined;
}

function toNumber(text: string | undefined): number | undefined {
  return text !== undefined && /^\s*\d+(\.\d+)?\s*$/.test(text) ? Number(text) : undefined;
}
