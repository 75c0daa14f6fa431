import type { Transport } from '@modelcontextprotocol/sdk/shared/transport.js';
import type { HttpPool } from '../../http/http-pool';
import type { ProgramFinder } from '../../subprocess/find-program';
import type { Programs } from '../../subprocess/programs';
import { limitFetch } from './limited-fetch';
import { ProgramTransport } from './program-transport';
import type { Sdk } from './sdk';
import type { ServerSettings } from './server-settings';

export interface Reach {
  programs: Programs;
  finder: ProgramFinder;
  /** The environment in which programs are looked for. */
  environment: NodeJS.ProcessEnv;
  http: HttpPool;
}

/** From the first signal to SIGKILL. */
const GRACE_MS = 5_000;

/** The ways to a server, in the order in which they are tried. Nothing is open before a way is taken. */
export function waysTo(settings: ServerSettings, sdk: Sdk, reach: Reach): (() => Promise<Transport>)[] {
  if (settings.kind === 'program') return [() => startProgram(settings, reach)];
  const { url, headers, type } = settings;
  const options = { requestInit: { headers }, fetch: limitFetch(reach.http.fetch) };
  // Its session id is absent or a text; the interface has it as a text where it is there.
  const http = () => Promise.resolve(new sdk.StreamableHTTPClientTransport(url, options) as Transport);
  const sse = () => Promise.resolve<Transport>(new sdk.SSEClientTransport(url, options));
  if (type === undefined) return [http, sse];
  return [type === 'sse' ? sse : http];
}

async function startProgram(
  { command, args, env, cwd }: Extract<ServerSettings, { kind: 'program' }>,
  { programs, finder, environment }: Reach,
): Promise<Transport> {
  const path = await finder.find({ names: [command], userFolders: true, environment: { ...environment, ...env } });
  return new ProgramTransport(await programs.spawn(path, args, { cwd, env, graceMs: GRACE_MS }));
}
