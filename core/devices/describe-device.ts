import { z } from 'zod';
import type { LlmDevice } from './device';

/** A provider as `providers status --json` and the control API show it. */
export const providerReportSchema = z.object({
  name: z.string(),
  driver: z.string(),
  kind: z.enum(['cli', 'http']),
  status: z.enum(['healthy', 'offline', 'unchecked']),
  model: z.string().nullable(),
  /** Null for programs: the time to find a program says nothing about how fast it answers. */
  latencyMs: z.number().nullable(),
  timedOut: z.boolean(),
  reason: z.string().nullable(),
  hint: z.string().nullable(),
  detail: z.string().nullable(),
  warnings: z.array(z.string()),
  /** Requests that run and wait, and how many may run; null where there is no limit. */
  queue: z.object({ running: z.number(), waiting: z.number(), limit: z.number() }).nullable().default(null),
});

export type ProviderReport = z.infer<typeof providerReportSchema>;

export function describeProvider(device: LlmDevice): ProviderReport {
  const { name, driver, driverKind: kind, defaultModel: model = null, health } = device;
  return {
    name,
    driver,
    kind,
    status: health.state,
    model,
    latencyMs: kind === 'http' ? (health.latencyMs ?? null) : null,
    timedOut: health.timedOut ?? false,
    reason: health.reason ?? null,
    hint: health.hint ?? null,
    detail: health.detail ?? null,
    warnings: health.warnings ?? [],
    queue: device.load ?? null,
  };
}

/** A device as `devices --json` and the control API show it. */
export function describeDevice({ path, kind, name, driver, driverKind, defaultModel, schema }: LlmDevice) {
  return { path, kind, name, driver, driverKind, model: defaultModel ?? null, schema };
}

export function explainOffline(name: string, reason?: string | null, hint?: string | null): string {
  return `${name} is offline: ${reason ?? 'unknown'}${hint ? `; ${hint}` : ''}`;
}

/**
 * The account that pays for a call: the login that the driver of a program reports as `billing`, the NAME of the variable
 * with the key, or `no key`. Null where it is not known.
 */
export function payer(
  { keyVariable, driverKind }: Pick<LlmDevice, 'keyVariable' | 'driverKind'>,
  metadata: Record<string, string> | null,
): string | null {
  return metadata?.billing ?? keyVariable ?? (driverKind === 'http' ? 'no key' : null);
}
