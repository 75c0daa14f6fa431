import { readFileSync } from 'node:fs';
import type { Socket } from 'node:net';

/** One end of a connection: its port, the port of the other end, and its user. */
const ROW = /^\s*\d+: [\dA-F]+:([\dA-F]{4}) [\dA-F]+:([\dA-F]{4}) \S+ \S+ \S+ \S+ +(\d+) /;
const TABLES = ['/proc/net/tcp', '/proc/net/tcp6'];

/**
 * Whether another user of the machine opened the connection. Only Linux tells; elsewhere the answer is false. Root does not
 * count: it may do everything anyway, and connections that it forwards belong to it.
 */
export function isOfAnotherUser({ localPort, remotePort }: Pick<Socket, 'localPort' | 'remotePort'>): boolean {
  const own = process.getuid?.();
  const [here, there] = [remotePort, localPort].map((port = 0) => port.toString(16).toUpperCase().padStart(4, '0'));
  return TABLES.flatMap(rowsOf).some((row) => {
    const [, from, to, user] = ROW.exec(row) ?? [];
    return from === here && to === there && Number(user) !== own && user !== '0';
  });
}

function rowsOf(table: string): string[] {
  try {
    return readFileSync(table, 'latin1').split('\n');
  } catch {
    // Other systems do not have the table, and some hide it.
    return [];
  }
}
