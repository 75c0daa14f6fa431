import { spawn } from 'node:child_process';
import { once } from 'node:events';
import { existsSync } from 'node:fs';

/** An opener that fails says so at once. Some openers run as long as the browser. */
const PATIENCE_MS = 2_000;

/** Opens an address in the user's browser. Resolves with false where there is no browser or no screen. */
export async function openBrowser(url: string): Promise<boolean> {
  const [program, ...words] = findOpener();
  if (program === undefined) return false;
  const child = spawn(program, [...words, url], { stdio: 'ignore', detached: true });
  const signal = AbortSignal.timeout(PATIENCE_MS);
  try {
    const [code] = (await once(child, 'exit', { signal })) as [number | null];
    return code === 0;
  } catch {
    // The opener still runs, or it could not be started.
    return signal.aborted;
  } finally {
    child.unref();
  }
}

/** The command that opens addresses on this system; empty where there is none. */
function findOpener(): string[] {
  const { platform, env } = process;
  if (platform === 'darwin') return ['open'];
  if (platform === 'win32') return ['rundll32', 'url.dll,FileProtocolHandler'];
  if (env.WSL_DISTRO_NAME && existsSync('/usr/bin/wslview')) return ['wslview'];
  // Without a screen xdg-open would start a browser for terminals and wait for it.
  return env.DISPLAY || env.WAYLAND_DISPLAY || env.BROWSER ? ['xdg-open'] : [];
}
