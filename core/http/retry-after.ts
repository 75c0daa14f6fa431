/** When the server wants to be asked again, in seconds from now. */
export function readRetryAfter(headers: Record<string, string>, now = Date.now()): number | undefined {
  const precise = toSeconds(headers['retry-after-ms']);
  if (precise !== undefined) return precise / 1000;
  const value = headers['retry-after'];
  const seconds = toSeconds(value);
  if (seconds !== undefined || value === undefined) return seconds;
  const date = Date.parse(value);
  return Number.isNaN(date) ? undefined : Math.max(0, Math.ceil((date - now) / 1000));
}

function toSeconds(text: string | undefined): number | undefined {
  return text !== undefined && /^\s*\d+(\.\d+)?\s*$/.test(text) ? Number(text) : undefined;
}
