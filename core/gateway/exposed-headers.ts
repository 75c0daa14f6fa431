import type { DialectTable } from './dialect-table';

/** Headers of an answer of any wire. */
const OWN = [
  'x-request-id',
  'x-drivebay-provider',
  'x-drivebay-attempts',
  'x-drivebay-ignored-params',
  'x-drivebay-replayed',
  'x-drivebay-warm',
];

/** The headers of an answer that a web page of another origin may read, as CORS lists them. */
export function exposedHeaders({ all }: DialectTable): string {
  return [...new Set([...OWN, ...all.flatMap(({ headers }) => headers.exposed)])].join(', ');
}
