import { spawn } from 'node:child_process';
import { once } from 'node:events';
import { existsSync } from 'node:fs';

/** Whoever cannot open an address says so at once; some programs stay as long as the browser. */
const PATIENCE_MS = 2_000;

/** Opens an address in the user's browser. False where there is none, or no screen. */
export async function openBrowser(url: string): Promise<boolean> {
  const command = findOpener();
  if (!command) return false;
  const [program = '', ...words] = command;
  const child = spawn(program, [...words, url], { stdio: 'ignore', detached: true });
  const timer = new AbortController();
  const timeout = setTimeout(() => timer.abort(), PATIENCE_MS);
  try {
    const [code] = (await once(child, 'exit', { signal: timer.signal })) as [number | null];
    return code === 0;
  } catch {
    // It still runs, or could not be started.
    return timer.signal.aborted;
  } finally {
    clearTimeout(timeout);
    child.unref();
  }
}

/** What opens addresses on this system. */
function findOpener(): string[] | undefined {
  const { platform, env } = process;
  if (platform === 'darwin') return ['open'];
  if (platform === 'win32') return ['rundll32', 'url.dll,FileProtocolHandler'];
  if (env.WSL_DISTRO_NAME && existsSync('/usr/bin/wslview')) return ['wslview'];
  // Without a screen it would take a browser for terminals, and wait for it.
  return env.DISPLAY || env.WAYLAND_DISPLAY || env.BROWSER ? ['xdg-open'] : undefined;
}
