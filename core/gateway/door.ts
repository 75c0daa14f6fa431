import type { HttpError } from '../serving/http-error';
import { AccessGuard, isPreflight } from './access-guard';
import { exposedHeaders } from './answer-headers';
import type { Arrival } from './arrival';
import { Keyring } from './clients/keyring';
import type { Dialect } from './dialect';
import type { DialectTable } from './dialect-table';
import type { GatewayOptions, Mount } from './gateway-options';
import { gatewayError, shuttingDown } from './to-http-error';

/** Open to everybody on the machine. */
export const HEALTH = '/health';

/** Finds out who a request comes from, and lets it in. */
export class Door {
  private readonly guard: AccessGuard;
  private keyring: Keyring | undefined;

  constructor(
    private readonly options: GatewayOptions,
    private readonly dialects: DialectTable,
  ) {
    const noteStranger = () => options.limits?.refusals.noteStranger();
    this.guard = new AccessGuard(options.access, exposedHeaders(dialects), noteStranger);
  }

  /** Throws for a foreign Host or Origin, for a missing key, and when the gateway is closing. */
  identify(
    arrival: Arrival,
    mount: Mount | undefined,
    dialect: Dialect | undefined,
    refusal: HttpError | undefined,
    isClosing: boolean,
  ): void {
    const { request, headers, path } = arrival;
    this.guard.checkSource(request);
    if (!mount) this.guard.addCorsHeaders(request, headers);
    if (isClosing) throw shuttingDown();
    if (refusal) throw refusal;
    if (path === HEALTH || (mount && !mount.needsKey)) return;
    if (mount) {
      arrival.client = this.guard.identify(request, this.dialects.keyHeaders, this.keys());
      return;
    }
    if (this.options.onlyMount !== undefined) throw gatewayError('unknown_url', this.options.onlyMount);
    // A browser sends a preflight without the key.
    if (isPreflight(request)) return;
    // A path that is no call belongs to no dialect, so the key header of any dialect counts.
    const keyHeaders = dialect?.headers.key ?? this.dialects.keyHeaders;
    arrival.client = this.guard.identify(request, keyHeaders, this.keys());
  }

  /** The keys of clients. A reload puts others in their place. */
  private keys(): Keyring | undefined {
    const { clients } = this.options;
    if (clients?.entries !== this.keyring?.source.entries) this.keyring = clients && new Keyring(clients);
    return this.keyring;
  }
}
