import { open, stat } from 'node:fs/promises';
import { basename } from 'node:path';
import { DriverError } from '../contract/driver-error';
import { codeOf, messageOf } from '../errors';
import { mayExecute, shown } from './find-program';

const SHEBANG_LENGTH = 256;

/** Says why a program did not start. The system says ENOENT for a missing program, interpreter and folder alike. */
export async function explainStart(command: string, cwd: string, cause: unknown): Promise<DriverError> {
  const code = codeOf(cause) ?? '';
  const name = basename(command);
  if (code === 'ERR_INVALID_ARG_VALUE') {
    const message = `an argument for ${name} holds a NUL character`;
    return new DriverError('invalid_request', message, { kind: 'unusable_argument', cause });
  }
  if (code === 'E2BIG' || code === 'ENAMETOOLONG') {
    const message = `the arguments for ${name} are larger than the system takes`;
    return new DriverError('invalid_request', message, { kind: 'unusable_argument', cause });
  }
  const isMissing = code === 'ENOENT' || code === 'ENOTDIR';
  const place = isMissing || code === 'EACCES' ? await explainPlace(command, cwd, cause) : undefined;
  if (place) return place;
  if (isMissing) {
    const hint = 'install it, or set command to its absolute path';
    return new DriverError('not_installed', `program not found: ${shown(command)}`, {
      kind: 'binary_missing',
      hint,
      cause,
    });
  }
  if (code === 'EACCES' || code === 'EPERM') {
    const details = { kind: 'binary_not_executable', hint: `run: chmod +x '${command}'`, cause } as const;
    return new DriverError('not_installed', `${command} may not be executed`, details);
  }
  if (code === 'ENOEXEC' || code === 'EBADARCH' || code === 'UNKNOWN') {
    const details = { kind: 'binary_broken', hint: `install ${name} again`, cause } as const;
    return new DriverError('not_installed', `${command} is not a program for this machine (${code})`, details);
  }
  return new DriverError('upstream', `${name} did not start: ${messageOf(cause)}`, { kind: 'spawn_failed', cause });
}

/** The fault of the folder, or of the program's first line. */
async function explainPlace(command: string, cwd: string, cause: unknown): Promise<DriverError | undefined> {
  const folder = await stat(cwd).catch(() => undefined);
  const isFolder = folder?.isDirectory() === true;
  if (!isFolder || !(await mayExecute(cwd))) {
    const fault = isFolder ? 'may not be entered' : folder ? 'is not a folder' : 'does not exist';
    return new DriverError('rejected', `the working directory ${cwd} ${fault}`, { kind: 'working_directory', cause });
  }
  const interpreter = await interpreterOf(command);
  if (interpreter === undefined || (await mayExecute(interpreter))) return undefined;
  return new DriverError('not_installed', `${command} needs ${interpreter}, which is missing or not executable`, {
    kind: 'interpreter_missing',
    hint: `install ${basename(command)} again, or what it needs`,
    cause,
  });
}

/** The program that the first line of a script names after `#!`. */
async function interpreterOf(command: string): Promise<string | undefined> {
  const file = await open(command).catch(() => undefined);
  if (!file) return undefined;
  try {
    const { buffer, bytesRead } = await file.read(Buffer.alloc(SHEBANG_LENGTH), 0, SHEBANG_LENGTH, 0);
    return /^#!\s*(\S+)/.exec(buffer.toString('utf8', 0, bytesRead))?.[1];
  } catch {
    return undefined;
  } finally {
    await file.close();
  }
}
