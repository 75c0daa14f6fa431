import { createHash, randomBytes, timingSafeEqual } from 'node:crypto';
import type { IncomingMessage } from 'node:http';
import { HttpError } from '../serving/http-error';

/** The lifetime of the ticket in the address that the browser opens. */
const TICKET_MS = 60_000;

/**
 * Lets in the holder of the daemon's token, or of a ticket, which works once. Every user of the machine can read the
 * arguments of a program, and addresses stay in the history of a browser: so those hold a ticket.
 */
export class DashboardAccess {
  private readonly digest: Buffer;
  /** When each ticket expires, by its hash, in ms of the monotonic clock. */
  private readonly tickets = new Map<string, number>();

  /**
   * `cookie` is its name: cookies ignore ports, and another daemon may have one at the same address. `howToOpen` is shown
   * to users who are not let in.
   */
  constructor(
    readonly token: string,
    private readonly cookie: string,
    readonly howToOpen: string,
  ) {
    this.digest = digest(token);
  }

  makeTicket(): string {
    const now = performance.now();
    for (const [ticket, end] of this.tickets) if (end <= now) this.tickets.delete(ticket);
    const ticket = randomBytes(32).toString('base64url');
    this.tickets.set(digest(ticket).toString('hex'), now + TICKET_MS);
    return ticket;
  }

  /** Whether a text is the token or a valid ticket. Uses the ticket up. */
  admits(text: string): boolean {
    const found = digest(text);
    // Digests have equal lengths, so the comparison takes the same time for every guess.
    if (timingSafeEqual(found, this.digest)) return true;
    // The time to look up a hash says nothing about the ticket.
    const key = found.toString('hex');
    const end = this.tickets.get(key) ?? 0;
    return this.tickets.delete(key) && performance.now() < end;
  }

  /** Lets a browser in until it is closed or the daemon ends. */
  setCookie(path: string): string {
    return `${this.cookie}=${this.token}; Path=${path}; HttpOnly; SameSite=Strict`;
  }

  hasCookie({ headers }: IncomingMessage): boolean {
    const cookies = (headers.cookie ?? '').split(';').map((pair) => pair.trim());
    return cookies.some((pair) => {
      if (!pair.startsWith(`${this.cookie}=`)) return false;
      return timingSafeEqual(digest(pair.slice(this.cookie.length + 1)), this.digest);
    });
  }
}

/**
 * Refuses a request that a page of another origin may have sent: the cookie comes with requests from every port of this
 * machine. Browsers say where a request comes from, and a request that changes something must say so.
 */
export function checkSameOrigin({ method, headers }: IncomingMessage): void {
  const { host = '', origin } = headers;
  const site = headers['sec-fetch-site'];
  const isOwn = origin === undefined || origin.toLowerCase() === `http://${host.toLowerCase()}`;
  const onlyReads = method === 'GET' || method === 'HEAD';
  // `none` is an address that the user typed.
  const isOwnSite = site === undefined || site === 'same-origin' || (site === 'none' && onlyReads);
  const isSaid = origin !== undefined || site !== undefined;
  if (isOwn && isOwnSite && (isSaid || onlyReads)) return;
  throw new HttpError(403, 'forbidden_origin', 'only the page of the dashboard may ask for this');
}

function digest(text: string): Buffer {
  return createHash('sha256').update(text).digest();
}
