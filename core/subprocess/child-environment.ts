import { delimiter, dirname, isAbsolute } from 'node:path';
import type { SpawnOptions } from '../contract/api';
import { DEPTH_VARIABLE } from './depth';
import { RUN_MARKER } from './run-marker';

const OUR_PREFIX = 'DRIVEBAY_';

/**
 * The user's own environment, without variables of ours. `hidden`: names that are kept from programs, for example other
 * providers' keys. Reading all variables takes as long as answering a small request, so it is seldom done.
 */
export function visibleEnvironment(
  all: NodeJS.ProcessEnv,
  hidden: Pick<ReadonlySet<string>, 'has'>,
): NodeJS.ProcessEnv {
  const visible = Object.entries(all).filter(([name]) => !name.startsWith(OUR_PREFIX) && !hidden.has(name));
  return Object.fromEntries(visible);
}

/** The environment of a program: a visible one with what the driver sets. The only variables of ours are the marker and the depth. */
export function childEnvironment(
  visible: Readonly<NodeJS.ProcessEnv>,
  { env: changes = {}, envDefaults = {} }: SpawnOptions,
  command: string,
  marker: string,
  depth = 1,
): NodeJS.ProcessEnv {
  // A plain copy is thirty times as fast as merging, with the usual number of variables.
  const environment: NodeJS.ProcessEnv = { ...visible };
  for (const [name, value] of Object.entries(envDefaults)) environment[name] ??= value;
  environment.PATH = pathFor(environment.PATH, command);
  for (const name of Object.keys(changes)) {
    const value = changes[name];
    if (value !== undefined) environment[name] = value;
    // A `delete`, even of an absent name, makes V8 switch to a slower kind of object.
    else if (name in environment) delete environment[name];
  }
  environment[RUN_MARKER] = marker;
  environment[DEPTH_VARIABLE] = String(depth);
  return environment;
}

/**
 * A script that names `node` as its interpreter needs the Node beside it, where a version manager put both, or ours. The
 * PATH of a service or a desktop has neither, and may have an older Node, so the program's folder comes first. If the
 * PATH has that folder already, the user's own order stays.
 */
export function pathFor(path: string | undefined, command: string): string {
  const folders = path?.split(delimiter).filter(Boolean) ?? [];
  const [own, ours] = [dirname(command), dirname(process.execPath)];
  if (isAbsolute(command) && !folders.includes(own)) folders.unshift(own);
  if (!folders.includes(ours)) folders.push(ours);
  return folders.join(delimiter);
}
