import { formatPath } from '../config/describe-found';
import type { Fault } from '../config/explain-issue';
import { placeOf } from '../config/located';
import { parseYaml } from '../config/parse-yaml';
import { formatPosition } from '../errors';

const FILE = 'manifest.json';

/** Puts a fault of a manifest into one line. */
export type PlaceFault = (fault: Fault) => string;

export function formatFault({ path, message }: Fault): string {
  return `${formatPath('', path) || 'the file'}: ${message}`;
}

/** With the place in the text of the manifest: JSON is YAML, too. */
export function placeFault(text: string): PlaceFault {
  const { root } = parseYaml(FILE, text);
  return (fault) => `${formatFault(fault)} (${root ? formatPosition(placeOf(root, fault.path)) : FILE})`;
}
