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
  // A plain copy takes V8 a thirtieth of the time that merging takes, with as many variables as people have.
  const environment: NodeJS.ProcessEnv = { ...base };
  for (const [name, value] of Object.entries(defaults)) environment[name] ??= value;
  environment.PATH = withFolders(environment.PATH, command);
  for (const name of Object.keys(changes)) {
    const value = changes[name];
    if (value !== undefined) environment[name] = value;
    // What is deleted, even if it was never there, makes V8 take a slower kind of object.
    else if (name in environment) delete environment[name];
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
