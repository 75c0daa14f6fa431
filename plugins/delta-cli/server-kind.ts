import { join } from 'node:path';
import type { DriverContext } from 'drivebay/plugin';
import { versionOf } from '../_shared/cli/file-version';
import type { Leaving } from '../_shared/cli/warm/leaving';
import { startLive } from '../_shared/cli/warm/live-program';
import { kindOf, type SpareKind } from '../_shared/cli/warm/spare';
import { startInFolder } from '../_shared/cli/warm/start-in-folder';
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

/** What cannot be changed in a program that runs. */
export async function serverKind(
  context: DriverContext<Options>,
  path: string,
  extra: readonly string[],
  leaving: Leaving,
): Promise<SpareKind<AppServer>> {
  const settings = [...SETTINGS, ...(await chatSettings()), ...SERVER_SETTINGS];
  const env = { ...environment(context), ...CHAT_ENVIRONMENT };
  // The program reads the login and its configuration when it starts.
  const read = ['auth.json', 'config.toml'].map((name) => versionOf(join(codexHome(), name)));
  return {
    ...kindOf(path, [settings, extra, env, read]),
    start: () =>
      startInFolder({ context, leaving, kind: 'app-server' }, async (folder) => {
        const file = join(folder, 'models.json');
        const { signal } = leaving;
        const hasCatalog = await writeCatalog(context, path, env, { file, signal });
        const catalog = hasCatalog ? [`model_catalog_json=${tomlString(file)}`] : [];
        const args = ['app-server', ...[...settings, ...catalog].flatMap((setting) => ['-c', setting]), ...extra];
        return startLive(
          // It writes a log of each thread, beside those of the user's own runs.
          (listener) => context.spawn(path, args, { env: { ...env, CODEX_SQLITE_HOME: folder }, ...listener }),
          (program) => new AppServer(program, hasCatalog),
        );
      }),
  };
}
