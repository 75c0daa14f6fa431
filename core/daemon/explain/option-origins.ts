import type { ProviderEntry } from '../../config/load';
import { valueOf } from '../../config/located';
import { commonSchema } from '../../config/schema';
import { formatPosition } from '../../errors';
import type { Manifest } from '../../plugins/manifest';

export interface OptionOrigin {
  name: string;
  value: unknown;
  /** `file:line:column`, or `default`. */
  from: string;
}

/** Every option of a provider that has a value, and where the value is from. */
export function optionOrigins({ fields }: ProviderEntry, manifest: Manifest | undefined): OptionOrigin[] {
  const common = Object.entries(commonSchema.shape).map(
    ([name, schema]) => [name, schema.safeParse(undefined).data] as const,
  );
  const own = Object.entries(manifest?.options ?? {}).map(([name, schema]) => [name, schema.default] as const);
  return [...common, ...own].flatMap(([name, standard]) => {
    const set = fields.entries.get(name);
    if (set) return [{ name, value: valueOf(set), from: formatPosition(set.place) }];
    return standard === undefined ? [] : [{ name, value: standard, from: 'default' }];
  });
}
