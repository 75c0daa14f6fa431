import type { Capabilities, DriverKind } from '../plugins/manifest';

/** A provider's settings that core itself acts on. */
export interface ProviderSettings {
  name: string;
  driver: string;
  /** Where the driver's code is. */
  codeDirectory: string;
  kind: DriverKind;
  capabilities: Capabilities;
  /** Whether the driver declares the option; the level itself is never looked at. */
  takesReasoningEffort: boolean;
  /** The options that say what the program's own tools may do. */
  permissionOptions: readonly string[];
  defaultModel?: string;
  /** The NAME of the variable with the API key; absent where none is configured. */
  keyVariable?: string;
  mode: 'stream' | 'call';
  maxTokens: number;
  costPerToken: number;
  timeoutSec: number;
  reasoningEffort?: string;
  thinkingBudget?: number;
  /** Context window by model, in tokens. */
  contextWindows: ReadonlyMap<string, number>;
  /** How many turns may run at once; absent means no limit. */
  maxConcurrency?: number;
}
