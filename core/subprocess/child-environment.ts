import { delimiter, dirname, isAbsolute } from 'node:path';
import { RUN_MARKER } from './run-marker';

const OUR_PREFIX = 'DRIVEBAY_';

export interface ChildEnvironmentParts {
  /** Where everything else comes from. */
  base: NodeJS.ProcessEnv;
  /** Names that are kept from the program, for example other providers' keys. */
  hidden: Pick<ReadonlySet<string>, 'has'>;
  changes: Readonly<Record<string, string | undefined>>;
  defaults: Readonly<Record<string, string>>;
  command: string;
  marker: string;
}

/** The environment of a program: the user's own, with nothing of ours in it but the marker. */
export function childEnvironment({
  base,
  hidden,
  changes,
  defaults,
  command,
  marker,
}: ChildEnvironmentParts): NodeJS.ProcessEnv {
  const environment: NodeJS.ProcessEnv = { ...defaults };
  for (const [name, value] of Object.entries(base)) {
    if (!name.startsWith(OUR_PREFIX) && !hidden.has(name)) environment[name] = value;
  }
  environment.PATH = withFolders(environment.PATH, command);
  for (const [name, value] of Object.entries(changes)) {
    if (value === undefined) delete environment[name];
    else environment[name] = value;
  }
  environment[RUN_MARKER] = marker;
  return environment;
}

/**
 * A script that names `node` as its interpreter has it beside itself, where a version manager put both, or runs on ours;
 * the PATH of a service or a desktop has neither. They come last, so that the user's own order stays.
 */
function withFolders(path: string | undefined, command: string): string {
  const folders = path?.split(delimiter).filter(Boolean) ?? [];
  const more = [isAbsolute(command) ? dirname(command) : undefined, dirname(process.execPath)];
  for (const folder of more) if (folder !== undefined && !folders.includes(folder)) folders.push(folder);
  return folders.join(delimiter);
}
