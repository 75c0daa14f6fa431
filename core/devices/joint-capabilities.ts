import type { LlmDevice } from './device';

/** What a route over these providers can do: what one of them can, because a route passes over those that cannot. */
export function jointCapabilities(providers: readonly LlmDevice[]): LlmDevice['capabilities'] {
  const someTakes = (ability: 'tools' | 'images' | 'audio' | 'files' | 'embeddings' | 'toolServers') =>
    providers.some(({ capabilities }) => capabilities[ability]);
  return {
    tools: someTakes('tools'),
    images: someTakes('images'),
    audio: someTakes('audio'),
    files: someTakes('files'),
    embeddings: someTakes('embeddings'),
    // Without it on one of them, the texts of the skills have to be in the messages.
    skillFolders: providers.every(({ capabilities }) => capabilities.skillFolders),
    toolServers: someTakes('toolServers'),
  };
}
