import { createHash } from 'node:crypto';
import { hostname } from 'node:os';
import { keysIn } from '../../config/addresses';
import type { SharedStateSettings } from '../../config/shared-state-schema';
import type { Logger } from '../../contract/api';
import type { Redactor } from '../../contract/redact';
import type { Problem } from '../../errors';
import type { LimitBook } from '../../limits/limit-book';
import { changedFacts, factsOf } from '../../providers/facts';
import type { RestBook } from '../../providers/rest-book';
import { ledgerId } from '../../record/ledger-id';
import { SharedState } from '../../shared-state/shared-state';

interface Parts {
  paths: { state: string; configHome: string };
  environment: NodeJS.ProcessEnv;
  limits: LimitBook;
  rests: RestBook;
  log: Logger;
  redactor: Redactor;
}

/** The state that this daemon shares with those of other machines, from the first configuration on that names one. */
export class SharedLimits {
  private state: SharedState | undefined;
  private settings: SharedStateSettings | undefined;

  constructor(private readonly parts: Parts) {}

  /** The variable is one of the process: the .env files of a project often have another server of the same name. */
  open(settings: SharedStateSettings): void {
    if (this.state) return;
    this.settings = settings;
    const { url_env: variable, required: isRequired } = settings;
    const { paths, environment, limits, rests, log, redactor } = this.parts;
    const url = environment[variable] || undefined;
    if (url !== undefined) hide(url, redactor);
    const ledger = ledgerId(paths.state);
    // One state folder may have several daemons, each with a configuration folder of its own. Copies of a machine have its ledger.
    const names = [ledger, paths.configHome, hostname()];
    const machine = createHash('sha256').update(names.join('\0')).digest('hex').slice(0, 16);
    const redact = (text: string) => redactor.redact(text);
    this.state = new SharedState({ url, variable, isRequired, ledger, machine, log, redact });
    limits.shareBy(this.state);
    this.state.share(rests);
  }

  /** The files say something else now, and the daemon keeps its settings. */
  stale(next: SharedStateSettings | undefined): Problem[] {
    if (!this.settings || changedFacts(factsOf(this.settings), factsOf(next ?? {})).length === 0) return [];
    const message = 'the daemon keeps the shared_state that it started with';
    return [{ message, hint: 'to use the new one, run: drivebay daemon restart' }];
  }

  async close(): Promise<void> {
    await this.state?.close();
  }
}

function hide(url: string, redactor: Redactor): void {
  for (const key of [url, ...keysIn(url)]) redactor.add(key);
}
