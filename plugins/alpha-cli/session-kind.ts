import { basename, join } from 'node:path';
import type { DriverContext } from 'drivebay/plugin';
import { versionOf } from '../_shared/cli/file-version';
import { startLive } from '../_shared/cli/warm/live-program';
import { kindOf, type SpareKind } from '../_shared/cli/warm/spare';
import type { Capabilities } from './capabilities';
import { type CommandLineParts, toCommandLine } from './command-line';
import { configFolder } from './config-folder';
import { childEnvironment, type Options, SESSION_VARIABLES } from './environment';
import { Session } from './session';

/** The name of our tool server in the program. No rule in the settings of a user should be about it. */
export const SERVER = 'drivebay_client';

/** Flags without which a conversation could not be held, or would not be shut off from the program's own tools. */
const NEEDED = [
  '--input-format',
  '--include-partial-messages',
  '--tools',
  '--strict-mcp-config',
  '--no-session-persistence',
  '--allowed-tools',
];

export function canHoldSessions(flags: ReadonlySet<string>): boolean {
  return NEEDED.every((flag) => flags.has(flag));
}

/** Why a client's tools and images cannot be had. */
export function refuseSession(
  { error }: Pick<DriverContext, 'error'>,
  path: string,
  { failure }: Capabilities,
  isByArguments: boolean,
) {
  const name = basename(path);
  const cannot = `${name} cannot have tools and images of a client`;
  if (failure !== undefined && !isByArguments) {
    // Not the client's mistake: a busy machine may have been too slow for it, and a route has other targets.
    const hint = 'run it by hand; drivebay asks again within a minute';
    return error('upstream', `${cannot}: "${name} -p --help" failed (${failure})`, { kind: 'spawn_failed', hint });
  }
  const [why, hint] = isByArguments
    ? ['extra_args work against them', 'remove the system prompt and what clashes from extra_args']
    : ['this version takes none', `${name} update`];
  return error('invalid_request', `${cannot}: ${why}`, { param: 'tools', hint });
}

/** What cannot be changed in a program that runs. */
export async function sessionKind(
  context: DriverContext<Options>,
  path: string,
  parts: CommandLineParts,
): Promise<SpareKind<Session>> {
  const args = toCommandLine({ ...parts, server: SERVER, staysOpen: true });
  const spawn = childEnvironment(context, { isChat: true });
  Object.assign(spawn.env, SESSION_VARIABLES);
  const cwd = await context.scratch();
  // The program reads them when it starts.
  const settings = versionOf(join(configFolder(), 'settings.json'));
  const kind = kindOf(path, [args, spawn, settings]);
  return {
    ...kind,
    slot: kind.key,
    start() {
      return startLive(
        (listener) => context.spawn(path, args, { ...spawn, cwd, firstSignal: 'SIGTERM', ...listener }),
        (program) => new Session(program),
      );
    },
  };
}
