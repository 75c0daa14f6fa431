import { unknownProvider } from '../../config/did-you-mean';
import type { ProjectInfo } from '../../daemon/control/protocol';
import { UsageError } from '../../errors';

type ProjectFacts = Pick<ProjectInfo, 'providers' | 'defaultProvider' | 'globalConfig'>;

export interface WantedModel {
  provider?: string;
  model?: string;
  smallModel?: string;
}

/** What a client asks the gateway for. */
export interface ChosenModel {
  provider: ProjectInfo['providers'][number];
  /** Names as the gateway takes them. */
  name: string;
  small: string;
  /** In tokens, where it is known. */
  contextWindow: number | undefined;
}

/** Throws a UsageError for a provider that does not exist, and where the user has to choose one. */
export function chooseModel(project: ProjectFacts, { provider: wanted, model, smallModel }: WantedModel): ChosenModel {
  const provider = chooseProvider(project, wanted || undefined);
  const nameOf = (chosen: string | null) => (chosen ? `${provider.name}:${chosen}` : provider.name);
  const chosen = model || provider.model;
  const name = nameOf(chosen);
  const { contextWindows } = provider;
  return {
    provider,
    name,
    small: smallModel ? smallName(smallModel, project, nameOf) : name,
    contextWindow: chosen && Object.hasOwn(contextWindows, chosen) ? contextWindows[chosen] : undefined,
  };
}

function chooseProvider({ providers, defaultProvider, globalConfig }: ProjectFacts, wanted: string | undefined) {
  const names = providers.map(({ name }) => name);
  const name = wanted ?? defaultProvider ?? (names.length === 1 ? names[0] : undefined);
  if (name === undefined) {
    if (names.length === 0)
      throw new UsageError('no provider is configured', 'to add one: drivebay providers add <driver>');
    const hint = `add --provider with one of ${names.join(', ')}; or default_provider to ${globalConfig}`;
    throw new UsageError('which provider? There is no default_provider', hint);
  }
  const found = providers.find((provider) => provider.name === name);
  if (!found) throw unknownProvider(name, names);
  return found;
}

/** The small model may be one of another provider: the name of that provider, alone or before a colon. */
function smallName(text: string, { providers }: ProjectFacts, nameOf: (model: string) => string): string {
  const first = text.split(':', 1)[0];
  return providers.some(({ name }) => name === text || name === first) ? text : nameOf(text);
}
