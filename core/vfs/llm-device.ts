import type { ChatRequest } from '../plugins/api';
import type { DriverKind } from '../plugins/manifest';
import type { Health } from '../providers/health';
import type { Provider } from '../providers/provider';
import type { Emit, TurnResult } from '../providers/answer';
import { runTurn } from '../providers/turn';
import type { Caller } from '../providers/turn-call';

/** What a user of a device may know about the provider behind it. */
export interface LlmDevice {
  /** `/dev/llm/<name>`. */
  readonly path: string;
  readonly kind: 'llm';
  readonly name: string;
  readonly driver: string;
  readonly driverKind: DriverKind;
  readonly defaultModel: string | undefined;
  /** The health as last seen. */
  readonly health: Health;
  /** The health after a new look where one is due. */
  refresh(): Promise<Health>;
  /** Asks the backend now. */
  check(): Promise<Health>;
  /** Runs one chat turn. */
  chat(request: ChatRequest, caller: Caller, emit: Emit): Promise<TurnResult>;
}

export function llmDevice(provider: Provider): LlmDevice {
  const { name, driver, kind, defaultModel } = provider.settings;
  return {
    path: `/dev/llm/${name}`,
    kind: 'llm',
    name,
    driver,
    driverKind: kind,
    defaultModel,
    get health() {
      return provider.health;
    },
    refresh: () => provider.refresh(),
    check: () => provider.check(),
    chat: (request, caller, emit) => runTurn(provider, request, caller, emit),
  };
}
