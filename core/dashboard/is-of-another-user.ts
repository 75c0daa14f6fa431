import { readFileSync } from 'node:fs';
import type { Socket } from 'node:net';
import { endianness } from 'node:os';

/**
 * One end of a connection: its address and port, those of the other end, and its user. Of an address only the last four bytes
 * count: the table of IPv6 puts others before an address of IPv4.
 */
const ROW = /^\s*\d+: [\dA-F]*([\dA-F]{8}:[\dA-F]{4}) [\dA-F]*([\dA-F]{8}:[\dA-F]{4}) \S+ \S+ \S+ \S+ +(\d+) /;
const TABLES = ['/proc/net/tcp', '/proc/net/tcp6'];

type Ends = Pick<Socket, 'localAddress' | 'localPort' | 'remoteAddress' | 'remotePort'>;

/**
 * Whether another user of the machine opened the connection. Only Linux tells; elsewhere the answer is false. Root does not
 * count: it may do everything anyway, and connections that it forwards belong to it.
 */
export function isOfAnotherUser({ localAddress, localPort, remoteAddress, remotePort }: Ends): boolean {
  const own = process.getuid?.();
  const here = spelled(remoteAddress, remotePort);
  const there = spelled(localAddress, localPort);
  return TABLES.flatMap(rowsOf).some((row) => {
    const [, from, to, user] = ROW.exec(row) ?? [];
    return from === here && to === there && Number(user) !== own && user !== '0';
  });
}

/** An address of IPv4, also one that is written as IPv6, and a port as the tables have them. */
function spelled(address = '', port = 0): string {
  const bytes = Buffer.from(
    address
      .slice(address.lastIndexOf(':') + 1)
      .split('.')
      .map(Number),
  );
  const word = endianness() === 'LE' ? bytes.reverse() : bytes;
  return `${word.toString('hex')}:${port.toString(16).padStart(4, '0')}`.toUpperCase();
}

function rowsOf(table: string): string[] {
  try {
    return readFileSync(table, 'latin1').split('\n');
  } catch {
    // Other systems do not have the table, and some hide it.
    return [];
  }
}
