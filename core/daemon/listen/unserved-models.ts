import type { LlmDevice } from '../../devices/device';
import { withColon } from '../../gateway/route-model';
import { adviseOnModel } from '../../plugins/advise-model';
import type { OpenedProject } from '../project/opened-project';

const MOST = 50;
const MODEL_LENGTH = 200;

/** A model that a client asked for, and what helps. */
interface UnservedModel {
  /** The project root; null outside of one. */
  project: string | null;
  model: string;
  advice: string;
}

/** The names of models that clients asked the gateways of a daemon for, and that no provider serves. */
export class UnservedModels {
  private readonly known = new Map<string, UnservedModel>();

  /** Returns what is to be logged, once for each name. */
  note(asked: string, { project }: Pick<OpenedProject, 'project'>): string | undefined {
    const model = asked.slice(0, MODEL_LENGTH);
    const root = project.paths.projectRoot ?? null;
    const key = JSON.stringify([root, model]);
    if (this.known.has(key) || this.known.size >= MOST) return undefined;
    const devices = project.devices.llms();
    const example = devices.find(({ name }) => name === project.defaultProvider) ?? devices[0];
    const served = withColon(model, project.devices) ?? (example && nameOf(example));
    const advice = adviseOnModel(model, project.plugins.manifests(), served);
    this.known.set(key, { project: root, model, advice });
    return `${explainUnserved(model)}; ${advice}`;
  }

  /** Another configuration may serve them. */
  clear(): void {
    this.known.clear();
  }

  list(): UnservedModel[] {
    return [...this.known.values()];
  }
}

export function explainUnserved(model: string): string {
  return `a client asked for the model ${JSON.stringify(model)}, which no provider serves`;
}

function nameOf({ name, defaultModel }: LlmDevice): string {
  return defaultModel === undefined ? name : `${name}:${defaultModel}`;
}
