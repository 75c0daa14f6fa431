import { createHash } from 'node:crypto';
import { rm } from 'node:fs/promises';
import { basename, join } from 'node:path';
import type { DriverContext } from 'drivebay/plugin';
import { versionOf } from '../_shared/cli/file-version';
import type { Changes } from '../_shared/cli/plain-environment';
import type { Leaving } from '../_shared/cli/warm/leaving';
import { programFolder } from '../_shared/cli/warm/program-folder';
import type { SpareKind } from '../_shared/cli/warm/spares';
import { AppServer } from './app-server';
import { environment } from './billing';
import { CHAT_ENVIRONMENT, chatSettings, codexHome } from './chat-settings';
import { SETTINGS, tomlString } from './command-line';
import { writeCatalog } from './model-catalog';
import type { Options } from './options';

/** Settings that leave nothing in a request but what the client says, and nothing of a thread behind. */
const SERVER_SETTINGS = [
  'include_permissions_instructions=false',
  'include_environment_context=false',
  'include_collaboration_mode_instructions=false',
  'tools.experimental_request_user_input={enabled=false}',
  'thread_unload_delay_secs=0',
  'tool_output_token_limit=1000000',
];
/** Flags that the program knows in both of its forms. Each has a value. */
const SHARED_FLAGS = ['-c', '--config', '--enable', '--disable'];
const FOLDER = 'app-server';

/** What cannot be changed in a program that runs. */
export interface ServerKind extends SpareKind<AppServer> {
  /** What the program is called in messages. */
  name: string;
}

/** The user's arguments, where `codex app-server` takes them, too. Undefined where it does not. */
export function sharedArguments(extra: readonly string[]): readonly string[] | undefined {
  for (let index = 0; index < extra.length; index += 1) {
    const argument = extra[index]!;
    if (SHARED_FLAGS.includes(argument)) index += 1;
    else if (!/^(?:-c.|--(?:config|enable|disable)=)/.test(argument)) return undefined;
    if (index >= extra.length) return undefined;
  }
  return extra;
}

export async function serverKind(
  context: DriverContext<Options>,
  path: string,
  extra: readonly string[],
  leaving: Leaving,
): Promise<ServerKind> {
  const settings = [...SETTINGS, ...(await chatSettings()), ...SERVER_SETTINGS];
  const env = { ...environment(context), ...CHAT_ENVIRONMENT };
  const program = `${path} ${versionOf(path)}`;
  // The program reads the login and its configuration when it starts. The environment holds the key of the provider.
  const surroundings = [
    settings,
    extra,
    env,
    ...['auth.json', 'config.toml'].map((name) => versionOf(join(codexHome(), name))),
  ];
  const key = createHash('sha256')
    .update(JSON.stringify([program, surroundings]))
    .digest('base64');
  return {
    key,
    program,
    name: basename(path),
    start() {
      const starting = start(context, path, { settings, extra, env }, leaving);
      void leaving.add(starting);
      return starting;
    },
  };
}

async function start(
  context: DriverContext<Options>,
  path: string,
  { settings, extra, env }: { settings: readonly string[]; extra: readonly string[]; env: Changes },
  leaving: Leaving,
): Promise<AppServer> {
  const folder = programFolder(await context.scratch(), FOLDER);
  const remove = (): Promise<void> =>
    rm(folder, { recursive: true, force: true, maxRetries: 3 }).catch(() => undefined);
  const started: { server?: AppServer } = {};
  try {
    const file = join(folder, 'models.json');
    const { signal } = leaving;
    const hasCatalog = await writeCatalog(context, path, env, { file, signal });
    const catalog = hasCatalog ? [`model_catalog_json=${tomlString(file)}`] : [];
    const args = ['app-server', ...[...settings, ...catalog].flatMap((setting) => ['-c', setting]), ...extra];
    const program = await context.spawn(path, args, {
      // It writes a log of each thread, beside those of the user's own runs.
      env: { ...env, CODEX_SQLITE_HOME: folder },
      onErrorLine: (line) => started.server?.onErrorLine(line),
    });
    started.server = new AppServer(program, catalog.length > 0);
    // It writes until it ends, which may be after its output.
    const { gone } = started.server;
    const left = gone.then(() => program.exited).then(() => program.stop());
    leaving.addProgram(started.server, left.then(remove));
    return started.server;
  } catch (error) {
    await remove();
    throw error;
  }
}
