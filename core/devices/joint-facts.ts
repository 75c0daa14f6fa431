import type { Health } from '../providers/health';
import type { LlmDevice } from './device';

/** What a route over these providers can do: what one of them can, because a route passes over those that cannot. */
export function jointCapabilities(providers: readonly LlmDevice[]): LlmDevice['capabilities'] {
  const all = providers.map(({ capabilities }) => capabilities);
  return {
    tools: all.some(({ tools }) => tools),
    images: all.some(({ images }) => images),
    audio: all.some(({ audio }) => audio),
    files: all.some(({ files }) => files),
    embeddings: all.some(({ embeddings }) => embeddings),
    toolServers: all.some(({ toolServers }) => toolServers),
    // Without it on one of them, the texts of the skills have to be in the messages.
    skillFolders: all.every(({ skillFolders }) => skillFolders),
  };
}

/** The health of a route: that of its best target. */
export function bestHealth(devices: readonly LlmDevice[]): Health {
  const best = (['healthy', 'unchecked'] as const)
    .map((state) => devices.find(({ health }) => health.state === state))
    .find((device) => device !== undefined);
  if (best) return { state: best.health.state, checkedAt: best.health.checkedAt };
  const reasons = devices.map(({ name, health }) => `${name}: ${health.reason ?? 'unknown'}`);
  return { state: 'offline', reason: `all of its targets are offline (${reasons.join('; ')})` };
}
