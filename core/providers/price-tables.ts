import type { ProviderEntry } from '../config/load';
import { explainPriceTable, type PriceTableField, priceTableIn } from '../config/price-table-field';
import type { Logger } from '../contract/api';
import type { Problem } from '../errors';
import { stampOf } from '../plugins/code-print';
import { PriceTable } from '../prices/price-table';

/** A start has more urgent work. A request that comes before this begins the reading itself. */
const SOON_MS = 100;

/** The price tables of a configuration, each of them once. */
export class PriceTables {
  readonly warnings: Problem[] = [];
  /** Where each is named first. */
  readonly fields: PriceTableField[] = [];
  private readonly tables = new Map<string, PriceTable>();

  constructor(
    private readonly log: Logger,
    private readonly common: PriceTableField | undefined,
  ) {
    if (common) this.open(common);
  }

  /** That of the entry, else the one at the top of the file. */
  of({ fields }: ProviderEntry): PriceTable | undefined {
    const own = priceTableIn(fields.entries);
    return own ? this.open(own) : this.common && this.open(this.common);
  }

  /** Tells whether the file of the entry's table is the same as before; undefined where the entry has none. */
  stampFor({ fields }: ProviderEntry): string | undefined {
    const { file } = priceTableIn(fields.entries) ?? this.common ?? {};
    return file === undefined ? undefined : `${file} ${stampOf(file)}`;
  }

  readSoon(): void {
    const tables = [...this.tables.values()];
    if (tables.length > 0) setTimeout(() => tables.forEach((table) => void table.reading), SOON_MS).unref();
  }

  private open(field: PriceTableField): PriceTable | undefined {
    const { file } = field;
    if (file === undefined) return undefined;
    const known = this.tables.get(file);
    if (known) return known;
    const problem = explainPriceTable(field);
    if (problem) this.warnings.push(problem);
    this.fields.push(field);
    const table = new PriceTable(file, this.log);
    this.tables.set(file, table);
    return table;
  }
}
