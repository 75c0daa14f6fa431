import { stringify } from 'yaml';

/** A value as it stands behind a key, on one line. */
export function yamlValue(value: unknown): string {
  return stringify(value, { collectionStyle: 'flow', lineWidth: 0, defaultStringType: 'PLAIN' })
    .trimEnd()
    .replace(/\s*\n\s*/g, ' ');
}
