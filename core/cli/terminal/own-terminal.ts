import { closeSync, openSync } from 'node:fs';
import { isatty } from 'node:tty';

/** The terminal that this program was started in, if there was one. */
export class OwnTerminal {
  private readonly wasThere = [0, 1, 2].some((descriptor) => isatty(descriptor));

  /** Whether it was closed: SIGHUP is sent for that, and by users who mean a reload. */
  isLost(): boolean {
    if (!this.wasThere) return false;
    try {
      closeSync(openSync('/dev/tty', 'r'));
      return false;
    } catch {
      return true;
    }
  }
}
