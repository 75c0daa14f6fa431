import { didYouMean } from '../../config/did-you-mean';
import type { Environment } from '../../config/environment';
import type { ProviderReport } from '../../daemon/project/describe-provider';
import type { LlmDevice } from '../../devices/device';
import type { DaemonView } from './daemon-findings';
import { type Finding, finding } from './finding';

/** Looks at one provider from all sides. Spends no tokens; every question has a time limit of its own. */
export async function providerFindings(device: LlmDevice, environment: Environment): Promise<Finding[]> {
  const [health, diagnoses] = await Promise.all([device.check(), device.diagnose()]);
  // What the check has said already need not be said in other words.
  const isNew = (topic: string) => health.state === 'healthy' || topic !== 'other';
  return [
    ...checkFindings(device),
    ...keyFindings(device, environment),
    ...(health.state === 'healthy' ? await modelFindings(device) : []),
    ...diagnoses
      .filter(({ topic }) => isNew(topic))
      .map(({ topic, severity, message, fix }) => finding(topic, severity, message, fix)),
  ];
}

function checkFindings({ health, endpoint, driverKind }: LlmDevice): Finding[] {
  const { state, reason = 'unknown', hint, kind = 'upstream', detail, latencyMs, warnings = [] } = health;
  if (state !== 'healthy') return [finding(kind, 'broken', reason, hint)];
  const facts = driverKind === 'cli' ? [detail] : [endpoint, `in ${latencyMs ?? '?'}ms`, detail];
  const message = `${driverKind === 'cli' ? 'the program is there' : 'reachable'}: ${facts.filter(Boolean).join(', ')}`;
  return [
    finding('answers', 'ok', message),
    ...warnings.map((warning) => finding('check_warning', 'warning', warning)),
  ];
}

/** Where the key is from; never what it is. */
function keyFindings({ keyVariable, health }: LlmDevice, environment: Environment): Finding[] {
  if (keyVariable === undefined) return [];
  const found = environment.get(keyVariable);
  if (found) return [finding('key', 'ok', `${keyVariable}, from ${found.source}`)];
  if (health.kind === 'missing_key') return [];
  const message = `${keyVariable} is not set (looked in ${environment.searched().join(', ')})`;
  return [finding('key', 'warning', message, `export ${keyVariable}=...`)];
}

async function modelFindings(device: LlmDevice): Promise<Finding[]> {
  const { name, defaultModel: model, driverKind } = device;
  if (model === undefined) {
    if (driverKind === 'cli') return [];
    const message = 'no default_model: a request must name a model';
    return [finding('model', 'note', message, `ask for ${name}:<model>, or add default_model to provider "${name}"`)];
  }
  const offered = await device.models();
  if (!offered) return [];
  if (isAmong(model, offered)) return [finding('model', 'ok', `${model} is offered`)];
  const guess = didYouMean(model, offered) ?? offered[0];
  const message = `${model} is not among the ${offered.length} models that it lists, ${offered.slice(0, 3).join(', ')} for example`;
  return [finding('model', 'warning', message, `set default_model of provider "${name}", to ${guess} for example`)];
}

/** A list may have a dated, or a tagged, name of what is asked for by its short one. */
function isAmong(model: string, offered: readonly string[]): boolean {
  return offered.some((name) => {
    if (!name.startsWith(model)) return false;
    const rest = name.slice(model.length);
    return rest === '' || rest === ':latest' || /^[-@]\d/.test(rest);
  });
}

/** What the daemon knows besides: it has the queue, and may see the provider otherwise. */
export function daemonViewFindings(device: LlmDevice, view: DaemonView): Finding[] {
  const report = view.providers.find(({ name }) => name === device.name);
  if (!report) return [];
  return [...disagreement(device, report, view.restart), ...queueFindings(report)];
}

function disagreement({ health }: LlmDevice, { status, reason }: ProviderReport, restart: string): Finding[] {
  if (health.state !== 'healthy' || status !== 'offline') return [];
  const message = `it answers here, and not to the daemon: ${reason ?? 'unknown'}`;
  return [finding('daemon_disagrees', 'broken', message, restart)];
}

function queueFindings({ queue, name }: ProviderReport): Finding[] {
  if (!queue) return [];
  const message = `${queue.running} of ${queue.limit} run, ${queue.waiting} wait`;
  if (queue.waiting === 0) return [finding('queue', 'ok', message)];
  return [finding('queue', 'note', message, `raise max_concurrency of provider "${name}", or send less at once`)];
}
