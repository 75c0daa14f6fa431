import { type Fault, formatFault } from '../config/explain-issue';
import { placeOf } from '../config/located';
import { parseYaml } from '../config/parse-yaml';
import { formatPosition } from '../errors';

const FILE = 'manifest.json';

/** Puts a fault of a manifest into one line. */
export type PlaceFault = (fault: Fault) => string;

/** With the place in the text of the manifest: JSON is YAML, too. */
export function placeFault(text: string): PlaceFault {
  const { root } = parseYaml(FILE, text);
  return (fault) => `${formatFault(fault, 'the file')} (${root ? formatPosition(placeOf(root, fault.path)) : FILE})`;
}
