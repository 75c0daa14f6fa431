import { mkdir, writeFile } from 'node:fs/promises';
import { join } from 'node:path';
import type { DriverContext } from 'drivebay/plugin';
import { versionOf } from '../../_shared/cli/file-version';
import type { Leaving } from '../../_shared/cli/warm/leaving';
import { startLive } from '../../_shared/cli/warm/live-program';
import { kindOf, type SpareKind } from '../../_shared/cli/warm/spare';
import { startInFolder } from '../../_shared/cli/warm/start-in-folder';
import { prepareFolder } from '../chat-folder';
import type { Cli } from '../cli';
import { commandLine } from '../command-line';
import { environment, type Options, paysByGeminiKey } from '../environment';
import { ownFile } from '../own-folder';
import { freeRegistry } from '../registry-lock';
import { AcpProgram } from './acp-program';
import { GeminiFiles } from './gemini-files';
import { QwenFiles } from './qwen-files';

/** Files of the user that the program reads when it starts. It changes that of a login itself, now and then. */
const READ_AT_START = ['settings.json', '.env', '../.env', 'google_accounts.json'];
const LOGIN = 'oauth_creds.json';

/** What cannot be changed in a program that runs. */
export interface ProgramKind extends SpareKind<AcpProgram> {
  dialect: Cli['dialect'];
}

export function programKind(
  context: DriverContext<Options>,
  cli: Cli,
  model: string | undefined,
  leaving: Leaving,
): ProgramKind {
  const { options } = context;
  const { path, dialect } = cli;
  // Gemini CLI takes the model of each session.
  const own = dialect === 'qwen' ? model : undefined;
  const args = commandLine(options, { cli, model: own, hasTools: false, isAcp: true });
  const env = environment(context, dialect);
  const read = READ_AT_START.map((name) => versionOf(ownFile(dialect, name)));
  const hasLogin = versionOf(ownFile(dialect, LOGIN)) !== '';
  return {
    ...kindOf(path, [args, env, read, hasLogin]),
    ...{ dialect, slot: own },
    start: () =>
      startInFolder(
        { context, leaving, kind: 'warm' },
        async (folder) => {
          const byKey = dialect === 'gemini' && paysByGeminiKey(options);
          const cwd = await prepareFolder(await context.scratch(), 'warm', byKey);
          const systemFile = join(folder, 'system.md');
          await writeFile(systemFile, '', { mode: 0o600 });
          await mkdir(join(folder, 'tmp'));
          if (dialect === 'gemini') await freeRegistry();
          const places = {
            ...{ GEMINI_SYSTEM_MD: systemFile, QWEN_SYSTEM_MD: systemFile },
            // Reports of errors, sessions and logs hold conversations.
            ...{ TMPDIR: join(folder, 'tmp'), QWEN_RUNTIME_DIR: join(folder, 'runtime') },
            // A call waits for its client: the program itself gives it 10 minutes at most.
            ...{ QWEN_CODE_MCP_TOOL_IDLE_TIMEOUT_MS: '600000' },
          };
          const files =
            dialect === 'gemini' ? new GeminiFiles(cwd, places.TMPDIR) : new QwenFiles(cwd, places.QWEN_RUNTIME_DIR);
          return startLive(
            (listener) => context.spawn(path, args, { cwd, env: { ...env, ...places }, ...listener }),
            (program) => new AcpProgram(program, { dialect, cwd, files, systemFile }),
          );
        },
        ({ files, sessionIds }) => files.clear(sessionIds),
      ),
  };
}
