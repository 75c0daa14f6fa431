const NOTICE = /^Reconnecting\.\.\.\s*(?:\d+\/\d+|(waiting for network))?\s*(?:\(([^]*)\))?$/;

const LOGIN_LOST = /\bstatus 401\b/;
const FORBIDDEN = /\bstatus 403\b/;
const NETWORK_DEAD = /^(?:Connection failed|waiting for network)\b/;
/** The words of the system. The CLI tries a WebSocket first, which has these words; HTTP says "Connection failed". */
const CONNECT_FAILED =
  /\b(?:Connection refused|Network is (?:unreachable|down)|No route to host|failed to lookup address|dns error)/i;

/** The reason in a notice that the CLI tries again. Undefined for every other message. */
export function retryReason(message: string): string | undefined {
  const match = NOTICE.exec(message);
  if (!match) return undefined;
  const [, waiting, reason = ''] = match;
  return waiting === undefined ? reason || message : `${waiting}: ${reason}`;
}

/**
 * Whether trying again is in vain: the login is gone, or there is no network. The CLI goes on for up to half a minute, and
 * for ever in some versions. A WebSocket may fail where HTTP works: some proxies forbid it with a 403, and behind a proxy
 * the direct way is closed.
 */
export function isHopeless(reason: string, usesProxy: boolean): boolean {
  if (LOGIN_LOST.test(reason) || NETWORK_DEAD.test(reason)) return true;
  if (FORBIDDEN.test(reason)) return !/\burl: wss?:/.test(reason);
  return !usesProxy && CONNECT_FAILED.test(reason);
}
