import type { ProviderSettings } from '../../core/providers/settings';

/** The settings of an http provider that can do nothing special. */
export function settings(more: Partial<ProviderSettings> = {}): ProviderSettings {
  return {
    name: 'p',
    driver: 'd',
    codeDirectory: '/nowhere',
    driverKind: 'http',
    capabilities: {
      tools: false,
      forcedToolChoice: false,
      images: false,
      audio: false,
      files: false,
      choices: false,
      skillFolders: false,
    },
    takesReasoningEffort: false,
    permissionOptions: [],
    defaultModel: 'default-model',
    mode: 'stream',
    maxTokens: 0,
    costPerToken: 0,
    timeoutSec: 0,
    contextWindows: new Map(),
    ...more,
  };
}

export const CAPABLE: ProviderSettings['capabilities'] = {
  tools: true,
  forcedToolChoice: true,
  images: true,
  audio: true,
  files: true,
  choices: true,
  skillFolders: true,
};
