import { createHash, randomBytes, timingSafeEqual } from 'node:crypto';
import type { IncomingMessage } from 'node:http';
import { DashboardError } from './dashboard-error';

/** How long the address that a browser is started with can be used. */
const TICKET_MS = 60_000;

/**
 * Who may look: whoever has the daemon's token, or a ticket, which is used up by its first use. A program's arguments
 * are seen by everybody on the machine, and addresses stay in a browser's history: what stands there is a ticket.
 */
export class Access {
  private readonly digest: Buffer;
  /** When they end, by the hash of the ticket, on a clock that nobody sets. */
  private readonly tickets = new Map<string, number>();

  /**
   * `cookie` is its name: cookies know no ports, and another daemon may have one at the same address. `howToOpen` is told
   * to those who are not let in.
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

  /** Whether a text is the token, or a ticket, which it is no more afterwards. */
  admits(text: string): boolean {
    const found = digest(text);
    // Digests have equal lengths, so the comparison takes the same time for every guess.
    if (timingSafeEqual(found, this.digest)) return true;
    // A ticket is looked up by its hash: the time that takes says nothing about the ticket.
    const key = found.toString('hex');
    const end = this.tickets.get(key) ?? 0;
    return this.tickets.delete(key) && performance.now() < end;
  }

  /** What lets a browser in from now on, until it is closed or the daemon ends. */
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
 * Refuses what a page of another origin may have sent: the cookie comes along from every port of this machine. Browsers
 * say where a request comes from; a request that changes something must say so.
 */
export function checkSameOrigin({ method, headers }: IncomingMessage): void {
  const { host = '', origin } = headers;
  const site = headers['sec-fetch-site'];
  const isOwn = origin === undefined || origin.toLowerCase() === `http://${host.toLowerCase()}`;
  const onlyReads = method === 'GET' || method === 'HEAD';
  // `none` is an address that was typed in.
  const isOwnSite = site === undefined || site === 'same-origin' || (site === 'none' && onlyReads);
  const isSaid = origin !== undefined || site !== undefined;
  if (isOwn && isOwnSite && (isSaid || onlyReads)) return;
  throw new DashboardError(403, 'forbidden_origin', 'only the page of the dashboard may ask for this');
}

function digest(text: string): Buffer {
  return createHash('sha256').update(text).digest();
}
