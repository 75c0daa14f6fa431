import { didYouMean } from '../../config/did-you-mean';
import type { Environment } from '../../config/environment';
import { formatTime } from '../../contract/wall-clock';
import type { LlmDevice } from '../../devices/device';
import { howToEndRest } from '../../devices/describe-device';
import type { DaemonView } from './daemon-findings';
import { type DoctorFinding, finding } from './finding';

/** Looks at one provider from all sides. Spends no tokens. Every question has its own time limit. */
export async function providerFindings(device: LlmDevice, environment: Environment): Promise<DoctorFinding[]> {
  const [health, diagnoses] = await Promise.all([device.check(), device.diagnose()]);
  const isHealthy = health.state === 'healthy';
  // The `other` diagnosis of a failed check repeats the failure in other words.
  const news = diagnoses.filter(({ topic }) => isHealthy || topic !== 'other');
  return [
    ...checkFindings(device),
    ...keyFindings(device, environment),
    ...restFindings(device),
    ...(isHealthy ? await modelFindings(device) : []),
    ...news.map(({ topic, severity, message, fix }) => finding(topic, severity, message, fix)),
  ];
}

function checkFindings({ health, endpoint, driverKind, route }: LlmDevice): DoctorFinding[] {
  const { state, reason = 'unknown', hint, kind = 'upstream', detail, latencyMs, warnings = [] } = health;
  if (state !== 'healthy') return [finding(kind, 'broken', reason, hint)];
  if (route) return [finding('answers', 'ok', `leads to ${route.targets.map(({ name }) => name).join(', ')}`)];
  const isProgram = driverKind === 'cli';
  const facts = isProgram ? [detail] : [endpoint, `in ${latencyMs ?? '?'}ms`, detail];
  const message = `${isProgram ? 'the program is there' : 'reachable'}: ${facts.filter(Boolean).join(', ')}`;
  return [
    finding('answers', 'ok', message),
    ...warnings.map((warning) => finding('check_warning', 'warning', warning)),
  ];
}

function restFindings({ name, rests, route }: LlmDevice): DoctorFinding[] {
  if (route) return [];
  return rests.map(({ model, kind, message, until }) => {
    const what = model === undefined ? 'it' : `model ${model}`;
    const text = `${what} rests until ${formatTime(until)}, so routes ask it last: ${message}`;
    return finding(kind, 'note', text, howToEndRest(name, kind));
  });
}

/** Says where the key comes from, never its value. */
function keyFindings({ keyVariable, health }: LlmDevice, environment: Environment): DoctorFinding[] {
  if (keyVariable === undefined) return [];
  const found = environment.get(keyVariable);
  if (found) return [finding('key', 'ok', `${keyVariable}, from ${found.source}`)];
  if (health.kind === 'missing_key') return [];
  const message = `${keyVariable} is not set (looked in ${environment.searched().join(', ')})`;
  return [finding('key', 'warning', message, `export ${keyVariable}=...`)];
}

async function modelFindings(device: LlmDevice): Promise<DoctorFinding[]> {
  const { name, defaultModel: model, driverKind } = device;
  if (model === undefined) {
    if (driverKind !== 'http') return [];
    const message = 'no default_model: a request must name a model';
    return [finding('model', 'note', message, `ask for ${name}:<model>, or add default_model to provider "${name}"`)];
  }
  const offered = (await device.models().catch(() => undefined))?.map(({ name }) => name);
  if (!offered) return [];
  if (isAmong(model, offered)) return [finding('model', 'ok', `${model} is offered`)];
  const guess = didYouMean(model, offered) ?? offered[0];
  const message = `${model} is not among the ${offered.length} models that it lists, ${offered.slice(0, 3).join(', ')} for example`;
  return [finding('model', 'warning', message, `set default_model of provider "${name}", to ${guess} for example`)];
}

/** A backend may list a dated or a tagged name for a model with a short name. */
function isAmong(model: string, offered: readonly string[]): boolean {
  return offered.some((name) => {
    if (!name.startsWith(model)) return false;
    const rest = name.slice(model.length);
    return rest === '' || rest === ':latest' || /^[-@]\d/.test(rest);
  });
}

/**
 * A key that this terminal lacks and the daemon has is no fault: the daemon asks the provider. The answer that it got
 * takes the place of the missing key.
 */
export function excuseKey(
  findings: DoctorFinding[],
  { name, keyVariable = '' }: LlmDevice,
  { providers, variables }: DaemonView,
): DoctorFinding[] {
  const report = providers.find((each) => each.name === name);
  const isHealthy = report?.status === 'healthy';
  if (!report || !(isHealthy || variables.includes(keyVariable))) return findings;
  const message = `${keyVariable} is not set in this terminal; the daemon has it`;
  const excuse = isHealthy
    ? [finding('key', 'note', `${message}, and answers with it`)]
    : [
        finding(
          'daemon_disagrees',
          'broken',
          `the daemon asked with its key: ${report.reason ?? 'unknown'}`,
          report.hint ?? undefined,
        ),
        finding('key', 'note', message),
      ];
  return findings.flatMap((each) => (each.code === 'missing_key' && each.severity === 'broken' ? excuse : each));
}

/** What the daemon adds: it has the queue, and may see the provider differently. */
export function daemonViewFindings({ name, health }: LlmDevice, { providers, restart }: DaemonView): DoctorFinding[] {
  const report = providers.find((each) => each.name === name);
  if (!report) return [];
  const findings: DoctorFinding[] = [];
  if (health.state === 'healthy' && report.status === 'offline') {
    const message = `answers here, but not to the daemon: ${report.reason ?? 'unknown'}`;
    findings.push(finding('daemon_disagrees', 'broken', message, restart));
  }
  if (report.queue) {
    const { running, limit, waiting } = report.queue;
    const message = `${running} of ${limit} run, ${waiting} wait`;
    const fix = `raise max_concurrency of provider "${name}", or send fewer requests at once`;
    findings.push(waiting === 0 ? finding('queue', 'ok', message) : finding('queue', 'note', message, fix));
  }
  return findings;
}
