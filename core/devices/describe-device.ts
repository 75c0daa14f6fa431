import type { Diagnosis } from '../contract/api';
import { defined } from '../fields';
import type { HealthState, KeptReport, RestFacts } from '../record/live-event';
import type { DeviceKind } from '../record/process-event';
import { describeKept, type KeptMemory, readKeptMemory } from './describe-kept';
import type { LlmDevice } from './device';
import type { ToolServer } from './tool-server';

/** A provider as `providers status --json` and the control API show it. */
export interface ProviderReport {
  name: string;
  driver: string;
  /** The driver by the name that users know it by. */
  driverAlias: string;
  kind: DeviceKind;
  status: HealthState;
  model: string | null;
  /** Null for programs: the time to find a program says nothing about how fast it answers. */
  latencyMs: number | null;
  timedOut: boolean;
  reason: string | null;
  hint: string | null;
  detail: string | null;
  warnings: string[];
  /** What the driver finds out about its backend, for example that a program is not logged in. */
  findings: Diagnosis[];
  /** The times in which routes ask it last; without a model all of the provider rests. */
  rests: RestFacts[];
  /** Of a route: who may answer, and how they take turns; null for a provider. */
  route: NonNullable<LlmDevice['route']> | null;
  /** What is kept for further calls. */
  kept: KeptReport[];
  /** Requests that run and wait, and how many may run; null where there is no limit. */
  queue: { running: number; waiting: number; limit: number } | null;
}

/** As long as a check. */
const DIAGNOSIS_LIMIT_MS = 3_000;

/** Asks the backend, and the driver about it, at the same time. Never rejects. */
export async function checkProvider(device: LlmDevice): Promise<ProviderReport> {
  const [, findings] = await Promise.all([device.check(), device.diagnose(DIAGNOSIS_LIMIT_MS)]);
  return describeProvider(device, await readKeptMemory([device]), findings);
}

/** `memory`: of programs by their pids, as far as it is known. */
export function describeProvider(device: LlmDevice, memory: KeptMemory, findings: Diagnosis[] = []): ProviderReport {
  const { name, driver, driverAlias, driverKind: kind, defaultModel: model = null, health } = device;
  return {
    name,
    driver,
    driverAlias,
    kind,
    status: health.state,
    model,
    latencyMs: kind === 'http' ? (health.latencyMs ?? null) : null,
    timedOut: health.timedOut ?? false,
    reason: health.reason ?? null,
    hint: health.hint ?? null,
    detail: health.detail ?? null,
    warnings: health.warnings ?? [],
    findings,
    rests: describeRests(device),
    route: device.route ?? null,
    kept: describeKept(device, memory),
    queue: device.load ?? null,
  };
}

function describeRests({ rests }: Pick<LlmDevice, 'rests'>): RestFacts[] {
  return rests.map(({ model, kind, message, since, until }) => defined({ model, kind, message, since, until }));
}

/** A device as `devices --json` and the control API show it. */
export function describeDevice(device: LlmDevice) {
  const { path, kind, name, driver, driverAlias, driverKind, defaultModel, schema } = device;
  return { path, kind, name, driver, driverAlias, driverKind, model: defaultModel ?? null, schema };
}

/** The same for a tool server. */
export function describeServer({ path, kind, name, target, file }: ToolServer) {
  return { path, kind, name, target, file };
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
  metadata: Record<string, string> | undefined,
): string | null {
  return metadata?.billing ?? keyVariable ?? (driverKind === 'http' ? 'no key' : null);
}

/** How to end a rest before its time, in words. A provider that is over a limit of its own cannot be woken. */
export function howToEndRest(name: string, kind: string): string {
  if (kind === 'rate_limit_exceeded') return 'to allow more, raise the limit in providers.yaml';
  if (kind === 'budget_exceeded') return 'to allow more, raise budget_usd in providers.yaml';
  return `to end it: drivebay providers wake ${name}`;
}
