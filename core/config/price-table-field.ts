import { statSync } from 'node:fs';
import { basename, dirname, join, resolve } from 'node:path';
import { shownName } from '../contract/secrets';
import type { Position, Problem } from '../errors';
import { expandHome } from '../paths';
import type { LocatedMap } from './located';

/** A `price_table`, at the top of a file or in a provider. */
export interface PriceTableField {
  /** Absolute; undefined where the text is empty, which means no table. */
  file: string | undefined;
  place: Position;
}

/** The field, where it is there and a text. A path is relative to the file that it stands in. */
export function priceTableIn(fields: LocatedMap['entries']): PriceTableField | undefined {
  const field = fields.get('price_table');
  if (field?.kind !== 'scalar' || typeof field.value !== 'string') return undefined;
  const { value, place } = field;
  if (value === '') return { file: undefined, place };
  return { file: resolve(dirname(place.file), expandHome(value, process.env)), place };
}

/** What is wrong with the file at first sight. Its content is read later, and mistakes in it go to the log. */
export function explainPriceTable({ file, place }: PriceTableField): Problem | undefined {
  if (file === undefined || mayBeFile(file)) return undefined;
  const message = `price_table: there is no file ${join(dirname(file), shownName(basename(file)))}, so it gives no price and no context window`;
  return {
    message,
    place,
    hint: 'put the file there (`drivebay docs costs` says from where), or take price_table out',
  };
}

/** Also where it cannot be looked at, as in a folder of another user: reading it tells why. */
function mayBeFile(file: string): boolean {
  try {
    return statSync(file, { throwIfNoEntry: false })?.isFile() ?? false;
  } catch {
    return true;
  }
}
