import type { Transport } from '@modelcontextprotocol/sdk/shared/transport.js';
import type { JSONRPCMessage } from '@modelcontextprotocol/sdk/types.js';
import type { HttpPool } from '../../http/http-pool';
import type { Programs } from '../../subprocess/programs';
import { limitFetch } from './limited-fetch';
import { ProgramTransport } from './program-transport';
import type * as Sdk from './sdk-parts';
import type { ServerSettings } from './server-settings';

export interface Reach {
  programs: Programs;
  /** The path of a program, as it is found with further variables. */
  find: (command: string, env: Record<string, string>) => Promise<string>;
  http: HttpPool;
}

export interface ServerTransport extends Transport {
  /** Why it ended by itself. */
  reason?: string;
  /** The last output of a program that is no message. */
  readonly said?: string;
  /** Absent if the server has no sessions. */
  terminateSession?(): Promise<void>;
}

/** From the first signal to SIGKILL. */
const GRACE_MS = 5_000;

/** The ways to a server, in the order in which they are tried. Nothing is open before a way is taken. */
export function waysTo(settings: ServerSettings, sdk: typeof Sdk, reach: Reach): (() => Promise<ServerTransport>)[] {
  if (settings.kind === 'program') return [() => startProgram(settings, reach)];
  const { url, headers, type } = settings;
  const over = (Class: typeof Sdk.StreamableHTTPClientTransport | typeof Sdk.SSEClientTransport) => () => {
    const onExcess = ({ message }: Error): void => {
      transport.reason ??= message;
      void transport.close();
    };
    // The connection may have ended meanwhile.
    const refuse = (message: JSONRPCMessage) => void transport.send(message).catch(() => undefined);
    const onEnd = () => onExcess(new Error('the connection was closed'));
    const listener = { onExcess, refuse, ...(Class === sdk.SSEClientTransport && { onEnd }) };
    const options = { requestInit: { headers }, fetch: limitFetch(reach.http.fetch, listener) };
    // Its session id is absent or a text; the interface has it as a text where it is there.
    const transport = new Class(url, options) as ServerTransport;
    return Promise.resolve(transport);
  };
  const [http, sse] = [over(sdk.StreamableHTTPClientTransport), over(sdk.SSEClientTransport)];
  if (type === undefined) return [http, sse];
  return [type === 'sse' ? sse : http];
}

async function startProgram(
  { command, args, env, cwd }: Extract<ServerSettings, { kind: 'program' }>,
  { programs, find }: Reach,
): Promise<ServerTransport> {
  const path = await find(command, env);
  return new ProgramTransport(await programs.spawn(path, args, { cwd, env, graceMs: GRACE_MS }));
}
