import { Environment } from '../../config/environment';
import { openPlugins } from '../../daemon/project/open-plugins';
import type { Paths } from '../../paths';
import { reloadRunning } from '../daemon/reload';
import { EXIT } from '../exit-codes';
import { pathsHere } from '../here';
import { printAnswer, printNote, printWarnings } from '../terminal/print';
import { askForOne, confirm, isAttended } from '../terminal/prompt';
import { untilInterrupted } from '../terminal/signals';
import { describeDefault, howToDefault, loneOf, nextSteps } from './describe-default';
import { examine } from './examine';
import { findBackends, uniqueNames } from './find-backends';
import { formatFound } from './format-found';
import { candidates, REASONS } from './preferences';
import { providersText } from './providers-text';
import type { Examined, Sighting } from './sighting';
import { chooseTarget, refuseToReplace, type Target, writeTarget } from './target';

interface InitOptions {
  project?: boolean;
  yes?: boolean;
  force?: boolean;
  print?: boolean;
}

export async function init(options: InitOptions): Promise<void> {
  const paths = pathsHere();
  const target = chooseTarget(paths, options.project ?? false);
  if (!options.print) refuseToReplace(target, options.force);
  const { examined, missing, elsewhere } = await untilInterrupted(look(paths, target));
  // With --print the file alone is the answer.
  const isPrinted = options.print || !(options.yes || isAttended());
  const say = isPrinted ? (text: string) => process.stderr.write(`${text}\n`) : printAnswer;
  say(formatFound(examined, missing));
  elsewhere.forEach((line) => say(line));
  const found = examined.filter(({ state }) => state !== 'absent');
  if (found.length === 0) return fail(nothingToWrite(target, elsewhere));
  const good = candidates(found);
  const auto = autoTargets(good, found, target.taken);
  const lone = good.length === 0 ? loneOf(found, target.taken) : undefined;
  const chosen = lone?.sighting.provider.name ?? (await choose(good, auto, !isPrinted && !options.yes));
  const text = textOf(found, auto, chosen);
  if (auto) say(`Route: ${AUTO} is the first of these that can answer: ${auto.join(', ')}`);
  if (chosen === AUTO && auto) say(`Default: ${AUTO}`);
  else say(describeDefault(chosen, lone, target));
  if (target.moves !== undefined) say(target.moves);
  if (isPrinted) {
    printAnswer(text.trimEnd());
    if (options.print) return;
    const note = `nothing was written, because there is no terminal to ask at; to write ${target.file}: drivebay init --yes`;
    return fail([note], EXIT.usage);
  }
  if (!options.yes && !(await confirm(`Write ${target.file}?`, 'yes'))) return fail(['nothing was written']);
  await writeTarget(target, text, options.force ?? false, paths);
  await reloadRunning();
  printAnswer(nextSteps(good.length > 0));
  if (auto && chosen !== AUTO) printAnswer(`To use the route by default: ${howToDefault(AUTO, target)}`);
}

const NOTHING_FOUND = [
  'nothing was found, so nothing was written',
  '  get one of the above and run the command again',
  '  for another server: drivebay providers add <driver> --base-url <url>; the drivers: drivebay plugins list',
  '  without a backend: drivebay serve --demo',
];

function fail(notes: readonly string[], exitCode: number = EXIT.failure): void {
  notes.forEach(printNote);
  process.exitCode = exitCode;
}

/** `elsewhere`: a line for each backend that was found and does not belong in this file. */
async function look(paths: Paths, { root, isProject, taken, globalFile }: Target) {
  const plugins = openPlugins(paths, { environment: process.env });
  const environment = new Environment({ projectRoot: root, processEnvironment: process.env });
  const { sightings, warnings } = await findBackends(plugins, environment);
  printWarnings(warnings);
  const found = sightings.filter(({ where }) => where !== undefined);
  const isElsewhere = ({ provider, projectOnly }: Sighting) =>
    isProject ? taken.has(provider.name) : projectOnly !== undefined;
  const usable = uniqueNames(found.filter((sighting) => !isElsewhere(sighting)));
  const elsewhere = found.filter(isElsewhere).map(({ provider: { name }, where }) => {
    if (isProject) return `${name} is in ${globalFile} already`;
    return `${name} is left out: its key counts in this project only (${where}); for it: drivebay init --project`;
  });
  return {
    examined: usable.length > 0 ? await examine(usable, environment) : [],
    missing: sightings.filter(({ where }) => where === undefined),
    elsewhere,
  };
}

/** The name of the default. The route is it only where the user says so: it may spend money that one provider would not. */
async function choose(
  good: readonly Examined[],
  auto: readonly string[] | undefined,
  isAsked: boolean,
): Promise<string | undefined> {
  const names = good.map(({ sighting }) => sighting.provider.name);
  if (!isAsked || good.length < 2) return names[0];
  return askForOne('Default provider', auto ? [...names, AUTO] : names);
}

function textOf(found: readonly Examined[], auto: readonly string[] | undefined, chosen: string | undefined): string {
  const providers = found.map(({ sighting, state, detail, fix }) => {
    const reason = `It did not answer when this file was written: ${detail}${fix === undefined ? '' : `; ${fix}`}`;
    return { sighting, note: state === 'silent' ? reason : undefined };
  });
  const route = auto && { name: AUTO, targets: auto };
  const { sighting, state } = found.find((one) => one.sighting.provider.name === chosen) ?? {};
  const why = sighting && (state === 'answers' ? REASONS[sighting.sort] : 'nothing else was found');
  const reason = why && `\`init\` chose ${chosen}: ${why}.`;
  return providersText({ providers, route, defaultProvider: chosen, reason });
}

function nothingToWrite({ file }: Target, elsewhere: readonly string[]): readonly string[] {
  if (elsewhere.length > 0) return [`nothing to write to ${file}`];
  return NOTHING_FOUND;
}

/** The route that `init` offers. */
const AUTO = 'auto';

/**
 * The targets of the route over everything that answers, in the order of `good`. Undefined where there is no choice, or where
 * the name is taken.
 */
function autoTargets(
  good: readonly Examined[],
  found: readonly Examined[],
  taken: ReadonlySet<string>,
): string[] | undefined {
  const isTaken = taken.has(AUTO) || found.some(({ sighting }) => sighting.provider.name === AUTO);
  return good.length < 2 || isTaken ? undefined : good.map(({ sighting }) => sighting.provider.name);
}
