import type { ChatRequest, Diagnosis } from '../contract/api';
import type { DriverKind } from '../plugins/manifest';
import { diagnose } from '../providers/diagnose';
import type { Health } from '../providers/health';
import { listModels } from '../providers/list-models';
import type { Provider } from '../providers/provider';
import type { Caller } from '../providers/caller';
import { type Emit, runTurn, type TurnResult } from '../providers/chat-turn';
import type { Device } from './device';
import { llmSchema, toChatRequest } from './llm-call';

/** What a user of a device may know about the provider behind it. */
export interface LlmDevice extends Device {
  readonly kind: 'llm';
  readonly driver: string;
  readonly driverKind: DriverKind;
  readonly defaultModel: string | undefined;
  /** The NAME of the variable with the API key; undefined where none is configured. */
  readonly keyVariable: string | undefined;
  /** The provider's own reasoning effort; undefined or empty leaves it to the backend. */
  readonly reasoningEffort: string | undefined;
  /** Whether a model behind it can be offered tools. */
  readonly takesTools: boolean;
  /** Whether the driver hands the folders of skills to its program. */
  readonly takesSkillFolders: boolean;
  /** The provider's options that say what the program's own tools may do. */
  readonly permissionOptions: readonly string[];
  /** Where the server is, where the configuration says it. */
  readonly endpoint: string | undefined;
  /** How many turns run and wait, and how many may run; undefined where there is no limit. */
  readonly load: { running: number; waiting: number; limit: number } | undefined;
  /** The context windows that the configuration knows, in tokens, by model. */
  readonly contextWindows: ReadonlyMap<string, number>;
  /** The health as last seen. */
  readonly health: Health;
  /** The health after a new look where one is due. */
  refresh(): Promise<Health>;
  /** Asks the backend now. */
  check(): Promise<Health>;
  /** Runs one chat turn. */
  chat(request: ChatRequest, caller: Caller, emit: Emit): Promise<TurnResult>;
  /** Resolves when nothing is left of the programs of a turn whose caller has this signal. */
  ended(signal: AbortSignal): Promise<void>;
  /** Facts of the driver about itself. */
  metadata(): Promise<Record<string, string>>;
  /** What `drivebay doctor` shows of it. Never rejects. */
  diagnose(): Promise<Diagnosis[]>;
  /** The models that the backend offers; undefined where it does not say. */
  models(): Promise<string[] | undefined>;
}

export function llmDevice(provider: Provider): LlmDevice {
  const { name, driver, kind, defaultModel, reasoningEffort, permissionOptions, contextWindows } = provider.settings;
  const { keyVariable, endpoint } = provider.settings;
  const device: LlmDevice = {
    path: `/dev/llm/${name}`,
    kind: 'llm',
    name,
    driver,
    driverKind: kind,
    defaultModel,
    keyVariable,
    reasoningEffort,
    takesTools: provider.settings.capabilities.tools,
    takesSkillFolders: provider.settings.capabilities.skillFolders,
    permissionOptions,
    endpoint,
    get load() {
      return provider.slots?.load;
    },
    contextWindows,
    get schema() {
      return llmSchema(name, defaultModel);
    },
    call: async (input, caller) => caller.chat(device, toChatRequest(input)),
    get health() {
      return provider.health;
    },
    refresh: () => provider.refresh(),
    check: () => provider.check(),
    chat: (request, caller, emit) => runTurn(provider, request, caller, emit),
    ended: (signal) => provider.ended(signal),
    metadata: () => provider.metadata(),
    diagnose: () => diagnose(provider),
    models: () => listModels(provider),
  };
  return device;
}
