import type { Capabilities } from '../plugins/manifest';
import type { DriverKind } from '../record/process-event';

/** The settings of a provider that core itself acts on. */
export interface ProviderSettings {
  name: string;
  driver: string;
  /** Where the driver's code is. */
  codeDirectory: string;
  driverKind: DriverKind;
  capabilities: Capabilities;
  /** Whether the driver declares the option; the level itself is never looked at. */
  takesReasoningEffort: boolean;
  /** The options that say what the program's own tools may do. */
  permissionOptions: readonly string[];
  /** Where the server is, without the parts of the address that may be a secret. */
  endpoint?: string;
  defaultModel?: string;
  /** The NAME of the variable with the API key: the entry's, or else the driver's own. */
  keyVariable?: string;
  mode: 'stream' | 'call';
  maxTokens: number;
  costPerToken: number;
  timeoutSec: number;
  reasoningEffort?: string;
  thinkingBudget?: number;
  /** Context window by model, in tokens. */
  contextWindows: ReadonlyMap<string, number>;
  /** How many calls may run at once; absent means no limit. */
  maxConcurrency?: number;
}

/** The base class of a provider: its settings are its fields. */
export const Configured = class {
  constructor(settings: ProviderSettings) {
    Object.assign(this, settings);
  }
} as new (settings: ProviderSettings) => Readonly<ProviderSettings>;
