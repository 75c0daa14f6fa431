import { delimiter, dirname, isAbsolute } from 'node:path';
import { RUN_MARKER } from './run-marker';

const OUR_PREFIX = 'DRIVEBAY_';

export interface ChildEnvironmentParts {
  /** Where everything else comes from. */
  base: Readonly<NodeJS.ProcessEnv>;
  changes: Readonly<Record<string, string | undefined>>;
  defaults: Readonly<Record<string, string>>;
  command: string;
  marker: string;
}

/**
 * The user's own environment, with nothing of ours in it. `hidden`: names that are kept from programs, for example other
 * providers' keys. To read all variables of a process takes as long as to answer a small request.
 */
export function visibleEnvironment(
  all: NodeJS.ProcessEnv,
  hidden: Pick<ReadonlySet<string>, 'has'>,
): NodeJS.ProcessEnv {
  const visible = Object.entries(all).filter(([name]) => !name.startsWith(OUR_PREFIX) && !hidden.has(name));
  return Object.fromEntries(visible);
}

/** The environment of a program: of ours there is only the marker. */
export function childEnvironment({
  base,
  changes,
  defaults,
  command,
  marker,
}: ChildEnvironmentParts): NodeJS.ProcessEnv {
  const environment: NodeJS.ProcessEnv = { ...defaults, ...base };
  environment.PATH = withFolders(environment.PATH, command);
  for (const [name, value] of Object.entries(changes)) {
    if (value === undefined) delete environment[name];
    else environment[name] = value;
  }
  environment[RUN_MARKER] = marker;
  return environment;
}

/**
 * A script that names `node` as its interpreter was installed with the one beside it, where a version manager put both; or it
 * runs on ours. The PATH of a service or a desktop has neither, and may have an older one: the program's folder comes
 * first. Where the PATH has it, the user's own order stays.
 */
function withFolders(path: string | undefined, command: string): string {
  const folders = path?.split(delimiter).filter(Boolean) ?? [];
  const [own, ours] = [dirname(command), dirname(process.execPath)];
  if (isAbsolute(command) && !folders.includes(own)) folders.unshift(own);
  if (!folders.includes(ours)) folders.push(ours);
  return folders.join(delimiter);
}
