import { Environment } from '../../config/environment';
import { FileExistsError, writeNewFile } from '../../config/write-new-file';
import { trustProject } from '../../config/trust';
import { openPlugins } from '../../daemon/project/open-plugins';
import { detect } from './detect';
import { providersText } from './providers-text';
import { uniqueNames } from './unique-names';
import type { Sighting } from './sighting';
import { messageOf } from '../../errors';
import { findPaths, type Paths } from '../../paths';
import { EXIT } from '../exit-codes';
import { candidates, PREFERENCE, reasonFor } from './choose-default';
import { examine, type Examined } from './examine';
import { askForOne, confirm, isAttended } from './questions';
import { formatReport } from './report';
import { chooseTarget, refuseToReplace, type Target } from './target';
import { workingDirectory } from '../working-directory';
import { printAnswer, printNote, printWarnings } from '../terminal/print';
import { untilInterrupted } from '../terminal/until-interrupted';
import { findDaemonQuietly } from '../daemon/running-daemon';

export interface InitOptions {
  project?: boolean;
  yes?: boolean;
  force?: boolean;
  print?: boolean;
}

/** `init`: finds what the machine has, and writes a configuration of it. */
export async function init(options: InitOptions): Promise<void> {
  const paths = findPaths(process.env, workingDirectory());
  const target = await chooseTarget(paths, options.project ?? false, workingDirectory());
  if (!options.force && !options.print) refuseToReplace(target);
  const { examined, missing, elsewhere } = await untilInterrupted(look(paths, target));
  // With --print the file alone is the answer.
  const isPrinted = options.print || !(options.yes || isAttended());
  const say = isPrinted ? (text: string) => process.stderr.write(`${text}\n`) : printAnswer;
  say(formatReport(examined, missing));
  elsewhere.forEach((line) => say(line));
  const found = examined.filter(({ state }) => state !== 'absent');
  if (found.length === 0) {
    printNote(nothingToWrite(target, elsewhere));
    process.exitCode = EXIT.failure;
    return;
  }
  const chosen = await choose(found, isPrinted || options.yes ? undefined : askForOne);
  const text = textOf(found, chosen);
  say(chosen ? `Default: ${chosen.sighting.provider.name} (${PREFERENCE})` : NO_DEFAULT);
  if (isPrinted) {
    printAnswer(text.trimEnd());
    if (options.print) return;
    printNote(`nothing was written, as nobody can be asked; to write ${target.file}: drivebay init --yes`);
    process.exitCode = EXIT.usage;
    return;
  }
  if (!options.yes && !(await confirm(`Write ${target.file}?`))) {
    printNote('nothing was written');
    process.exitCode = EXIT.failure;
    return;
  }
  await write(target, text, options, paths);
}

const NO_DEFAULT = 'Default: none, because nothing answers yet; the reasons stand above';

interface Found {
  examined: Examined[];
  missing: Sighting[];
  /** What was found, and is not for this file. */
  elsewhere: string[];
}

async function look(paths: Paths, { root, isProject, taken }: Target): Promise<Found> {
  const plugins = openPlugins(paths, { environment: process.env });
  const environment = new Environment({ projectRoot: root, processEnvironment: process.env });
  const { sightings, warnings } = await detect(plugins, environment);
  printWarnings(warnings);
  const found = sightings.filter(({ where }) => where !== undefined);
  const isElsewhere = ({ provider, projectOnly }: Sighting) =>
    isProject ? taken.has(provider.name) : projectOnly !== undefined;
  const usable = uniqueNames(found.filter((sighting) => !isElsewhere(sighting)));
  return {
    examined: usable.length > 0 ? await examine(usable, environment) : [],
    missing: sightings.filter(({ where }) => where === undefined),
    elsewhere: found
      .filter(isElsewhere)
      .map(({ provider, where = '' }) =>
        isProject
          ? `${provider.name} stands in ${paths.globalConfig} already`
          : `${provider.name} is left out: its key counts in this project only (${where}); for it: drivebay init --project`,
      ),
  };
}

async function choose(found: readonly Examined[], ask: typeof askForOne | undefined): Promise<Examined | undefined> {
  const good = candidates(found);
  if (!ask || good.length < 2) return good[0];
  const names = good.map(({ sighting }) => sighting.provider.name);
  const name = await ask('Default provider', names);
  return good.find(({ sighting }) => sighting.provider.name === name);
}

function textOf(found: readonly Examined[], chosen: Examined | undefined): string {
  const providers = found.map(({ sighting, state, detail, fix }) => ({
    sighting,
    ...(state === 'silent' && { note: `Did not answer then: ${detail}${fix === undefined ? '' : `; ${fix}`}` }),
  }));
  if (!chosen) return providersText({ providers });
  return providersText({ providers, defaultProvider: chosen.sighting.provider.name, reason: reasonFor(chosen) });
}

function nothingToWrite({ file }: Target, elsewhere: readonly string[]): string {
  if (elsewhere.length > 0) return `nothing to write to ${file}`;
  return `nothing was found, so nothing was written: get one of the above and run drivebay init again, write another chat-completions server into ${file} yourself, or try drivebay without any: drivebay serve --demo`;
}

async function write(target: Target, text: string, { force }: InitOptions, { state }: Paths): Promise<void> {
  const { file, isProject } = target;
  try {
    const { backup } = await writeNewFile(file, text, { replace: force ?? false });
    printAnswer(`Wrote ${file}${backup === undefined ? '' : `; the one before is ${backup}`}`);
  } catch (error) {
    if (error instanceof FileExistsError) refuseToReplace(target);
    throw new Error(`${file} cannot be written: ${messageOf(error)}`, { cause: error });
  }
  // Whoever has just had it written has seen what it sets.
  if (isProject) await trustProject(file, state);
  printAnswer(`\nNext: drivebay serve            the gateway
      drivebay "your question"  an agent
      drivebay doctor           what is wrong, if something is`);
  const daemon = await findDaemonQuietly().catch(() => undefined);
  if (daemon)
    printNote(`a daemon runs with the configuration before (pid ${daemon.info.pid}); run: drivebay daemon restart`);
}
