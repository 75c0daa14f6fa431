import { hintOf, messageOf } from '../errors';
import type { LlmDevice } from './device';

/** The models of a provider as `models --json` and the control API show them. */
export interface ModelsReport {
  provider: string;
  models: { name: string; contextWindow: number | null }[];
  /** Whether the backend gave the list. Otherwise the models are those that the configuration names. */
  listed: boolean;
  /** Why the backend could not be asked, and what the user can do about it; null where it just has no list. */
  reason: string | null;
  hint: string | null;
}

/** Asks the backend for its list. Never rejects. */
export async function describeModels(device: LlmDevice): Promise<ModelsReport> {
  const { name: provider, defaultModel, contextWindows } = device;
  const names = new Set([...(defaultModel === undefined ? [] : [defaultModel]), ...contextWindows.keys()]);
  const models = [...names].map((name) => ({ name, contextWindow: contextWindows.get(name) ?? null }));
  const configured = { provider, models, listed: false, reason: null, hint: null };
  try {
    const offered = await device.models();
    if (!offered) return configured;
    const found = offered.map(({ name, contextWindow = null }) => ({ name, contextWindow }));
    return { ...configured, models: found, listed: true };
  } catch (error) {
    return { ...configured, reason: messageOf(error), hint: hintOf(error) ?? null };
  }
}
