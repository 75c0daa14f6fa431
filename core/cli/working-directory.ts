import { UsageError } from '../errors';

export function workingDirectory(): string {
  try {
    return process.cwd();
  } catch {
    throw new UsageError('the working directory does not exist any more', 'change to another folder and try again');
  }
}
