import type { Driver } from '../../core/contract/api';
import { CallEnd } from '../../core/contract/call-end';
import { Redactor } from '../../core/contract/redact';
import { manifestSchema } from '../../core/plugins/manifest';
import { Prices } from '../../core/prices/prices';
import type { Caller } from '../../core/providers/caller';
import { Provider, type ProviderParts } from '../../core/providers/provider';
import type { ProviderSettings } from '../../core/providers/settings';

const capabilityNames = Object.keys(manifestSchema.shape.capabilities.unwrap().shape);
const every = (can: boolean) =>
  Object.fromEntries(capabilityNames.map((name) => [name, can])) as ProviderSettings['capabilities'];

export const CAPABLE = every(true);

/** One price for every token. */
export const pricesOf = (costPerToken: number) =>
  new Prices({ models: new Map(), table: undefined, sellers: [], costPerToken });

/** The settings of an http provider that can do nothing special. */
export function settings(more: Partial<ProviderSettings> = {}): ProviderSettings {
  return {
    name: 'p',
    driver: 'd-1',
    codeDirectory: '/nowhere',
    driverAlias: 'd',
    driverKind: 'http',
    capabilities: every(false),
    takesReasoningEffort: false,
    permissionOptions: [],
    actsWithoutAsking: false,
    defaultModel: 'default-model',
    listModels: false,
    mode: 'stream',
    maxTokens: 0,
    prices: pricesOf(0),
    timeoutSec: 0,
    contextWindows: new Map(),
    ...more,
  };
}

export const quiet = () => undefined;

/** A provider without connections and programs. Its driver can do nothing. */
export function makeProvider(parts: Partial<ProviderParts> = {}, more: Partial<ProviderSettings> = {}): Provider {
  return new Provider(settings(more), {
    makeDriver: () => Promise.resolve({} as Driver),
    http: { close: () => Promise.resolve() },
    programs: {
      count: 0,
      close: () => Promise.resolve(),
      ended: () => Promise.resolve(),
      idle: () => Promise.resolve(),
    },
    kept: { list: () => [], close: quiet },
    redactor: new Redactor(),
    log: { debug: quiet, info: quiet, warn: quiet, error: quiet },
    ...parts,
  });
}

export const makeCaller = (more: Partial<Caller> = {}): Caller => ({
  id: 'c',
  asker: { type: 'gateway' },
  abort: new CallEnd(),
  arrivedAt: Date.now(),
  ...more,
});
