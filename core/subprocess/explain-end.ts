import type { ExitStatus } from '../contract/api';
import { DriverError } from '../contract/driver-error';

const QUOTE_LENGTH = 500;
/** The exit code of a shell, and of `env` in the first line of a script. */
const COMMAND_NOT_FOUND = 127;
/** Lines without a reason: those of a stack, and the last one of a Node program that threw. */
const NO_REASON = /^(?:at .*|Node\.js v[\d.]+|[{}[\]()^~\s]*)$/;
/** Node prints the fields of the error below it, such as `requireStack: []`. Npm, which starts many tools, names its log there. */
const ERROR = /^(?:[\w.]*Error(?: \[\w+\])?: |npm (?:error|ERR!) (?!code |errno |syscall |path ))/;
const MISSING_INTERPRETER = /env: .?([\w.+-]+).?: No such file/;

export function explainEnd(name: string, { code, signal }: ExitStatus, stderr: string): DriverError {
  const lines = stderr.split('\n').map((line) => line.trim());
  const reason = lines.find((line) => ERROR.test(line)) ?? lines.findLast((line) => !NO_REASON.test(line)) ?? '';
  const said = reason && `: ${reason.slice(0, QUOTE_LENGTH)}`;
  const interpreter = code === COMMAND_NOT_FOUND ? MISSING_INTERPRETER.exec(stderr)?.[1] : undefined;
  if (interpreter !== undefined) {
    return new DriverError('not_installed', `${name} needs ${interpreter}, which is not on the PATH`, {
      kind: 'interpreter_missing',
      hint: `install ${interpreter}, or start drivebay where it is on the PATH`,
    });
  }
  if (signal !== null) {
    return new DriverError('upstream', `${name} was ended by ${signal}${said}`, {
      kind: 'crashed',
      hint: signal === 'SIGKILL' ? 'the system may have run out of memory' : undefined,
    });
  }
  if (code !== 0)
    return new DriverError('upstream', `${name} ended with exit code ${code}${said}`, { kind: 'crashed' });
  return new DriverError('protocol', `${name} ended without an answer${said}`, { kind: 'truncated' });
}
