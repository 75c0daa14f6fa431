import type { Manifest } from '../../plugins/manifest';
import { declaredSchemas } from '../../plugins/entry-schema';

export const SAMPLE_KEY_NAME = 'DRIVEBAY_SAMPLE_KEY';

/** Samples for the options that core knows. No server listens at the address. */
const SAMPLES: Record<string, unknown> = {
  base_url: 'http://127.0.0.1:9',
  api_key_env: SAMPLE_KEY_NAME,
  command: process.execPath,
};

/** Sample values for the required options. An option without a valid sample is `unknown`. */
export function sampleOptions(manifest: Manifest): { options: Record<string, unknown>; unknown: string[] } {
  const options: Record<string, unknown> = {};
  const unknown: string[] = [];
  for (const name of manifest.required) {
    const declared = manifest.options[name];
    if (declared === undefined || declared.default !== undefined) continue;
    const value = sampleOf(name, declared);
    if (value === undefined) unknown.push(name);
    else options[name] = value;
  }
  return { options, unknown };
}

function sampleOf(name: string, declared: Record<string, unknown>): unknown {
  const schemas = declaredSchemas(name, declared);
  const listed = [declared.examples, declared.enum].flatMap((list) => (Array.isArray(list) ? (list as unknown[]) : []));
  const plain = ['sample', 'http://127.0.0.1:9', 1, declared.minimum, declared.maximum, false, [], {}, ['sample']];
  return [...listed, declared.const, SAMPLES[name], ...plain].find(
    (value) => value !== undefined && schemas.every((schema) => schema.safeParse(value).success),
  );
}
