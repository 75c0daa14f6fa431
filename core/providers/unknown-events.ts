import type { Logger } from '../contract/api';

/** A driver that invents types must not fill the log. */
const MOST = 10;

/** Warns once about each type of event that has no effect: a misspelling, or a contract newer than ours. */
export class UnknownEvents {
  private readonly known = new Set<string>();

  constructor(private readonly provider: { log: Logger; driverAlias: string }) {}

  note(type: unknown): void {
    const name = JSON.stringify(String(type).slice(0, 50));
    if (this.known.has(name) || this.known.size === MOST) return;
    this.known.add(name);
    const { log, driverAlias } = this.provider;
    log.warn(`driver "${driverAlias}" yields events of type ${name}, which has no effect here`);
  }
}
