import type { Route } from '../../devices/route';
import type { ToolServer } from '../../devices/tool-server';
import type { Made } from '../../providers/facts';
import type { MadeProvider } from '../../providers/made-provider';
import type { Provider } from '../../providers/provider';

/** The devices of a project with what they were made of, by name. */
export class MadeDevices {
  readonly providers: ReadonlyMap<string, MadeProvider>;
  readonly routes: ReadonlyMap<string, Made<Route>>;
  readonly servers: ReadonlyMap<string, Made<ToolServer>>;

  constructor(
    providers: readonly MadeProvider[],
    routes: readonly Made<Route>[],
    servers: readonly Made<ToolServer>[],
    /** The variables with keys. The programs of all providers share the set. */
    readonly keys: Set<string>,
  ) {
    this.providers = byName(providers);
    this.routes = byName(routes);
    this.servers = byName(servers);
  }

  /** They take the place of those before. */
  follow(before: MadeDevices): void {
    for (const [name, { device }] of this.providers) {
      const earlier = before.providers.get(name)?.device;
      if (earlier && earlier !== device) takeSlots(device, earlier);
    }
  }

  /** Lets go of what the others do not have. Resolves when the last user has left, and nothing is left of it. */
  async retire(others?: MadeDevices): Promise<void> {
    const kept = new Set<unknown>(others?.all());
    const gone = this.all().filter((device) => !kept.has(device));
    await Promise.all(gone.map((device) => device.retire()));
  }

  /** Ends all of them now. */
  async close(): Promise<void> {
    const open = [...this.providers.values(), ...this.servers.values()];
    await Promise.all(open.map(({ device }) => device.close()));
  }

  private all() {
    return [...this.routes.values(), ...this.providers.values(), ...this.servers.values()].map(({ device }) => device);
  }
}

function byName<M extends Made<{ name: string }>>(made: readonly M[]): ReadonlyMap<string, M> {
  return new Map(made.map((each) => [each.device.name, each]));
}

/** What runs and waits on the earlier provider counts for this one, if the account is the same. */
function takeSlots(provider: Provider, { slots, account }: Provider): void {
  if (!slots || account !== provider.account) return;
  slots.resize(provider.maxConcurrency ?? Infinity);
  provider.slots &&= slots;
}
