import type { Health } from '../providers/health';
import type { LlmDevice } from './device';

/** The health of a route: that of its best target. */
export function bestHealth(devices: readonly LlmDevice[]): Health {
  const best = (['healthy', 'unchecked'] as const)
    .map((state) => devices.find(({ health }) => health.state === state))
    .find((device) => device !== undefined);
  if (best) return { state: best.health.state, checkedAt: best.health.checkedAt };
  const reasons = devices.map(({ name, health }) => `${name}: ${health.reason ?? 'unknown'}`);
  return { state: 'offline', reason: `all of its targets are offline (${reasons.join('; ')})` };
}
