import type { MadeRoute } from '../../devices/build-routes';
import type { MadeServer } from '../../devices/mcp/build-servers';
import type { MadeProvider } from '../../providers/made-provider';
import type { Provider } from '../../providers/provider';

interface Retiring {
  retire(): Promise<void>;
}

/** The devices of a project with what they were made of, by name. */
export class MadeDevices {
  readonly providers: ReadonlyMap<string, MadeProvider>;
  readonly routes: ReadonlyMap<string, MadeRoute>;
  readonly servers: ReadonlyMap<string, MadeServer>;

  constructor(
    providers: readonly MadeProvider[],
    routes: readonly MadeRoute[],
    servers: readonly MadeServer[],
    /** The variables with keys. The programs of all providers share the set. */
    readonly keys: Set<string>,
  ) {
    this.providers = new Map(providers.map((made) => [made.provider.name, made]));
    this.routes = new Map(routes.map((made) => [made.route.name, made]));
    this.servers = new Map(servers.map((made) => [made.server.name, made]));
  }

  /** They take the place of those before. */
  follow(before: MadeDevices): void {
    for (const [name, { provider }] of this.providers) {
      const earlier = before.providers.get(name)?.provider;
      if (earlier && earlier !== provider) takeSlots(provider, earlier);
    }
  }

  /** Lets go of what the others do not have. Resolves when the last user has left, and nothing is left of it. */
  async retire(others?: MadeDevices): Promise<void> {
    const kept = new Set(others?.all());
    const gone = this.all().filter((device) => !kept.has(device));
    await Promise.all(gone.map((device) => device.retire()));
  }

  /** Ends all of them now. */
  async close(): Promise<void> {
    const providers = [...this.providers.values()].map(({ provider }) => provider);
    const servers = [...this.servers.values()].map(({ server }) => server);
    await Promise.all([...providers, ...servers].map((each) => each.close()));
  }

  private all(): Retiring[] {
    return [
      ...[...this.routes.values()].map(({ route }) => route),
      ...[...this.providers.values()].map(({ provider }) => provider),
      ...[...this.servers.values()].map(({ server }) => server),
    ];
  }
}

/** What runs and waits on the earlier provider counts for this one, if the account is the same. */
function takeSlots(provider: Provider, { slots, account }: Provider): void {
  if (!slots || account !== provider.account) return;
  slots.resize(provider.maxConcurrency ?? Infinity);
  provider.slots &&= slots;
}
