import { homedir } from 'node:os';

/** The home folder of the user; `/` where the system knows none, as in a container whose user has a number only. */
export function homeFolder(): string {
  try {
    return homedir() || '/';
  } catch {
    return '/';
  }
}
