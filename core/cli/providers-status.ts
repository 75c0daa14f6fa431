import type { Project } from '../daemon/project';
import type { LlmDevice } from '../vfs/llm-device';
import { open } from './open';
import { paint, printAnswer, printNote, printWarnings } from './print';
import { describePlugins } from './describe-plugins';
import { formatTable } from './table';
import { untilInterrupted } from './until-interrupted';

export interface StatusOptions {
  json?: boolean;
  project: boolean;
}

/** `providers status`: checks every provider at once and prints what came out. */
export async function providersStatus(options: StatusOptions): Promise<void> {
  const { project } = await open({ useProject: options.project });
  const devices = project.devices.list();
  try {
    await untilInterrupted(Promise.all(devices.map((device) => device.check())));
    printStatus(project, options);
  } finally {
    await project.close();
  }
}

function printStatus(project: Project, { json }: StatusOptions): void {
  const devices = project.devices.list();
  printWarnings(project.warnings);
  if (json) {
    const plugins = describePlugins(project.plugins, devices);
    printAnswer(JSON.stringify({ providers: devices.map(describeProvider), plugins }, undefined, 2));
    return;
  }
  printAnswer(formatTable(['Provider', 'Driver', 'Status', 'Model', 'Latency'], devices.map(toRow)));
  if (devices.length === 0) printNote(`no provider is configured: add one to ${project.paths.globalConfig}`);
  for (const { name, health } of devices) {
    if (health.state === 'offline') printNote(explainOffline(name, health.reason, health.hint));
    for (const warning of health.warnings ?? []) printNote(`${name}: ${warning}`);
  }
}

export function explainOffline(name: string, reason = 'unknown', hint?: string): string {
  return `${name} is offline: ${reason}${hint ? `; ${hint}` : ''}`;
}

function toRow(device: LlmDevice) {
  const { health } = device;
  const colour = health.state === 'healthy' ? 'green' : health.state === 'offline' ? 'red' : 'yellow';
  return [
    device.name,
    device.driverKind,
    { text: health.state, paint: (padded: string) => paint(colour, padded) },
    device.defaultModel ?? '',
    latency(device),
  ];
}

/** A duration for HTTP, nothing for a CLI: finding a binary says nothing about how fast it answers. */
function latency({ driverKind, health }: LlmDevice): string {
  if (health.state === 'offline') return health.timedOut ? 'timeout' : '';
  if (driverKind === 'cli' || health.latencyMs === undefined) return '';
  return `${health.latencyMs}ms`;
}

function describeProvider(device: LlmDevice) {
  const { name, driver, driverKind, defaultModel, health } = device;
  return {
    name,
    driver,
    kind: driverKind,
    status: health.state,
    model: defaultModel ?? null,
    latency_ms: driverKind === 'http' ? (health.latencyMs ?? null) : null,
    timed_out: health.timedOut ?? false,
    reason: health.reason ?? null,
    hint: health.hint ?? null,
    detail: health.detail ?? null,
    warnings: health.warnings ?? [],
  };
}
