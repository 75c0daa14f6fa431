import type { Attempt, LlmDevice } from '../devices/device';
import type { OwnTime } from '../record/own-time';
import { type CallRecord, spellAttempts } from './call-record';
import type { DialectTable } from './dialect-table';

const OVERHEAD = 'x-drivebay-overhead-ms';

/** Headers of an answer of any wire. */
const OWN = [
  'x-request-id',
  'x-drivebay-provider',
  'x-drivebay-attempts',
  'x-drivebay-ignored-params',
  'x-drivebay-replayed',
  'x-drivebay-warm',
  OVERHEAD,
];

/** The headers of an answer that a web page of another origin may read, as CORS lists them. */
export function exposedHeaders({ all }: DialectTable): string {
  return [...new Set([...OWN, ...all.flatMap(({ headers }) => headers.exposed)])].join(', ');
}

/** How long we have worked on a request until the head of its answer. */
export function noteOverhead(headers: Record<string, string>, own: OwnTime): void {
  headers[OVERHEAD] = String(own.ms);
}

/** Clients take a head of 16 KiB, and the names of a request's own parts may be of any length. */
const LONGEST_NAME = 100;
const LONGEST_LIST = 2_000;

/** The headers of an answer, with the names of fields of its request that had no effect. */
export function withIgnored(headers: Record<string, string>, ignored: Iterable<string>): Record<string, string> {
  // The names come from drivers. Characters that a header cannot hold are left out.
  const names = [...ignored].map((name) => name.slice(0, LONGEST_NAME).replace(/[^\x21-\x7e]/g, '')).join(',');
  const list = names.length > LONGEST_LIST ? names.slice(0, names.lastIndexOf(',', LONGEST_LIST)) : names;
  return { ...headers, 'x-drivebay-ignored-params': list };
}

/** Tells the client and the record which target of a route is asked, and which ones have failed before it. */
export function noteTarget(
  target: LlmDevice,
  model: string | undefined,
  before: readonly Attempt[],
  headers: Record<string, string>,
  record: CallRecord,
): void {
  headers['x-drivebay-provider'] = target.name;
  if (before.length > 0) headers['x-drivebay-attempts'] = spellAttempts(before);
  record.turnTo(target, model, before);
}
