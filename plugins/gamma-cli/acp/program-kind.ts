import { mkdir, rm, writeFile } from 'node:fs/promises';
import { join } from 'node:path';
import type { DriverContext } from 'drivebay/plugin';
import { versionOf } from '../../_shared/cli/file-version';
import { programFolder } from '../../_shared/cli/warm/program-folder';
import { kindOf, type SpareKind } from '../../_shared/cli/warm/spares';
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

/** `onStart` is told of each program, and of the time when nothing of it is left. */
export function programKind(
  context: DriverContext<Options>,
  cli: Cli,
  model: string | undefined,
  onStart: (program: AcpProgram, left: Promise<void>) => void,
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
    async start() {
      const scratch = await context.scratch();
      const cwd = await prepareFolder(scratch, 'warm', dialect === 'gemini' && paysByGeminiKey(options));
      const folder = programFolder(scratch, 'warm');
      const systemFile = join(folder, 'system.md');
      const remove = (): Promise<void> =>
        rm(folder, { recursive: true, force: true, maxRetries: 3 }).catch(() => undefined);
      try {
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
        const started: { program?: AcpProgram } = {};
        const onErrorLine = (line: string): void => started.program?.onErrorLine(line);
        const spawned = await context.spawn(path, args, { cwd, env: { ...env, ...places }, onErrorLine });
        const files =
          dialect === 'gemini' ? new GeminiFiles(cwd, places.TMPDIR) : new QwenFiles(cwd, places.QWEN_RUNTIME_DIR);
        started.program = new AcpProgram(spawned, { dialect, cwd, files, systemFile });
        onStart(
          started.program,
          started.program.gone
            // One that is stopped before its end is known has not crashed, for core.
            .then(() => spawned.exited)
            .then(() => spawned.stop())
            .then(() => files.clear(started.program!.sessionIds))
            .then(remove),
        );
        return started.program;
      } catch (error) {
        await remove();
        throw error;
      }
    },
  };
}
