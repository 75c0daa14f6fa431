import { PREFERENCE } from './preferences';
import type { Examined } from './sighting';
import type { Target } from './target';

/**
 * The only backend that was found, where none answers by its name. It is the default all the same: without one, agents would
 * ask the built-in provider, which the user has not named. A project's file leaves the default of the user's own file.
 */
export function loneOf(found: readonly Examined[], taken: ReadonlySet<string>): Examined | undefined {
  return found.length === 1 && taken.size === 0 ? found[0] : undefined;
}

export function describeDefault(chosen: string | undefined, lone: Examined | undefined, target: Target): string {
  if (chosen === undefined) {
    return `Default: none, because nothing answers yet; see the reasons above. When one does: ${howToDefault('NAME', target)}`;
  }
  if (!lone) return `Default: ${chosen} (${PREFERENCE})`;
  const lack = lone.state === 'answers' ? `has no default_model in ${target.file}` : 'does not answer';
  return `Default: ${chosen}, because nothing else was found; it ${lack} yet`;
}

/** How the user makes a provider or a route the default: the command edits the user's own file only. */
export function howToDefault(name: string, { isProject, file }: Target): string {
  return isProject ? `default_provider: ${name} in ${file}` : `drivebay providers set-default ${name}`;
}

export function nextSteps(answers: boolean): string {
  const doctor = 'drivebay doctor           what is wrong';
  const work = ['drivebay serve            the gateway', 'drivebay "your question"  an agent'];
  const [first, ...others] = answers
    ? [...work, `${doctor}, if something is`]
    : [`${doctor}, until it answers`, ...work];
  return ['', `Next: ${first}`, ...others.map((step) => `      ${step}`)].join('\n');
}
