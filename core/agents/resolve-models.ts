import { basename } from 'node:path';
import { HOW_TO_ADD, suggestProvider } from '../config/did-you-mean';
import { explainPrefix } from '../config/explain-prefix';
import { nameOrHidden } from '../contract/secrets';
import type { Problem } from '../errors';
import type { Resolution } from '../record/process-event';
import type { ProcessView } from '../record/process-view';
import type { LlmDevice } from '../devices/device';
import { isKeyForModel } from '../devices/key-for-model';
import type { AgentManifest } from './agent-manifest';
import type { AgentProject } from './agent-project';
import { SpawnError, type SpawnRequest } from './spawn-request';

export interface ModelChoice {
  device: LlmDevice;
  /** Absent, like the effort: the provider's own default. */
  model?: string;
  effort?: string;
}

export interface ResolvedModels {
  primary: ModelChoice;
  fallback?: ModelChoice;
  resolution: Resolution;
  warnings: Problem[];
}

type Decided = { value: string; by: string } | undefined;

/** Chooses provider, model and effort, each from the first tier that has a value. An empty text is no value. */
export function resolveModels(
  project: AgentProject,
  manifest: AgentManifest,
  request: SpawnRequest,
  /** The process that is continued. */
  earlier?: ProcessView,
): ResolvedModels | { problem: Problem } {
  const { models = {} } = manifest.values;
  const byFlag = (flag: string) => (request.compose === undefined ? flag : 'compose file');
  const byManifest = manifest.file === undefined ? 'agent.yaml' : basename(manifest.file);

  const byEarlier = `process ${earlier?.pid}`;
  const { resolution } = earlier ?? {};
  // A process on a route shows the target that answered last.
  const earlierProvider = resolution?.driverKind === 'route' ? resolution.provider : earlier?.provider;
  const named = first(
    [request.provider, byFlag('--provider')],
    [earlierProvider, byEarlier],
    [models.provider, byManifest],
  );
  // The built-in provider is no device beside those of a configuration, and a process may have used it.
  const { standard } = project;
  const builtin = named?.by === byEarlier && standard?.device.name === named.value ? standard.device : undefined;
  const chosen = named ? { device: project.devices.llm(named.value) ?? builtin, decidedBy: named.by } : standard;
  if (!chosen) throw new SpawnError('provider', 'no provider is chosen', suggestChoice(project));
  const { device, decidedBy } = chosen;
  if (!device) {
    const message = `there is no provider ${nameOrHidden(named!.value)}`;
    const hint = suggestProvider(named!.value, namesOf(project));
    if (request.provider) {
      throw new SpawnError('provider', message, suggestProvider(request.provider, namesOf(project), HOW_TO_ADD));
    }
    if (earlier && earlierProvider) {
      throw new SpawnError('provider', `${message}, which process ${earlier.pid} used`, `use --provider NAME; ${hint}`);
    }
    return {
      problem: { message: `models.provider: ${message}`, place: manifest.placeOf(['models', 'provider']), hint },
    };
  }

  // A preferred model belongs to the preferred provider.
  const isPreferred = !models.provider || models.provider === device.name;
  // So do the model and the effort of the earlier process.
  const same = device.name === earlierProvider ? earlier : undefined;
  const model = first(
    [request.model, byFlag('--model')],
    [resolution?.driverKind === 'route' ? resolution.model : same?.model, byEarlier],
    [isPreferred ? models.preferred : '', byManifest],
  );
  if (!model && device.needsModel) {
    throw new SpawnError(
      'model',
      `provider "${device.name}" has no default_model`,
      `name a ${request.compose === undefined ? 'model with --model' : 'model'}, or set default_model in providers.yaml; its models: drivebay models ${device.name}`,
    );
  }
  if (model && isKeyForModel(model.value, project.devices)) {
    const message = `provider "${device.name}" has no model ${nameOrHidden(model.value)}`;
    const hint = `see: drivebay models ${device.name}`;
    if (model.by !== byManifest) throw new SpawnError('model', message, hint);
    return {
      problem: { message: `models.preferred: ${message}`, place: manifest.placeOf(['models', 'preferred']), hint },
    };
  }
  const effort = first(
    [request.effort, byFlag(request.effortFlag ?? '--reasoning-effort')],
    [same?.resolution?.effort, byEarlier],
    [models.reasoning_effort, byManifest],
  );

  const prefixed =
    request.provider || request.compose !== undefined ? [] : explainPrefix(request.model ?? '', namesOf(project));
  const knownModel = model ?? first([device.defaultModel, 'default_model']);
  const knownEffort = effort ?? first([device.reasoningEffort, 'providers.yaml']);
  const { fallback, warnings } = resolveFallback(project, manifest, device);
  return {
    primary: { device, effort: effort?.value, model: model?.value },
    fallback: fallback && { device: fallback, effort: effort?.value },
    resolution: {
      provider: device.name,
      driver: device.driver,
      driverAlias: device.driverAlias,
      driverKind: device.driverKind,
      model: knownModel?.value,
      effort: knownEffort?.value,
      decidedBy: { provider: decidedBy, model: knownModel?.by, effort: knownEffort?.by },
    },
    warnings: [...(named ? [] : explainBuiltin(project)), ...prefixed, ...warnings],
  };
}

function first(...tiers: [value: string | undefined, by: string][]): Decided {
  const found = tiers.find(([value]) => value !== undefined && value !== '');
  return found && { value: found[0]!, by: found[1] };
}

/** A fallback that cannot take over is only a warning, because it may never be needed. */
function resolveFallback(
  project: AgentProject,
  { values, placeOf }: AgentManifest,
  primary: LlmDevice,
): { fallback?: LlmDevice; warnings: Problem[] } {
  const name = values.models?.fallback;
  if (!name || name === primary.name) return { warnings: [] };
  const warn = (message: string, hint: string) => {
    const place = placeOf(['models', 'fallback']);
    return { warnings: [{ message: `models.fallback: ${message}`, place, hint }] };
  };
  const fallback = project.devices.llm(name);
  if (!fallback) {
    return warn(
      `there is no provider ${nameOrHidden(name)}, so nothing takes over`,
      suggestProvider(name, namesOf(project)),
    );
  }
  if (fallback.needsModel) {
    return warn(
      `provider "${name}" has no default_model, so it cannot take over`,
      'set default_model in providers.yaml',
    );
  }
  return { fallback, warnings: [] };
}

/** A user with a configuration does not expect another provider to work. Without one the built-in provider is the one device. */
function explainBuiltin(project: AgentProject): Problem[] {
  const { standard, devices } = project;
  if (standard?.decidedBy !== 'built-in') return [];
  const llms = devices.llms();
  if (llms.length === 1 && llms[0] === standard.device) return [];
  const message = `there is no default_provider, so the built-in provider "${standard.device.name}" is used`;
  return [{ message, hint: suggestChoice(project) }];
}

function suggestChoice(project: AgentProject): string {
  const names = namesOf(project);
  if (names.length === 0) return 'add a provider to providers.yaml, and set default_provider';
  return `use --provider NAME, or set default_provider in providers.yaml (providers: ${names.join(', ')})`;
}

function namesOf({ devices }: AgentProject): string[] {
  return devices.llms().map(({ name }) => name);
}
