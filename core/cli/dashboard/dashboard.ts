import { spawn } from 'node:child_process';
import { once } from 'node:events';
import { existsSync } from 'node:fs';
import type { DashboardAnswer } from '../../daemon/control/protocol';
import { daemonWith, projectRef } from '../daemon/project-at-daemon';
import { explainListening } from '../serve/port-owner';
import { printAnswer, printNote } from '../terminal/print';

/** An opener that fails says so at once. Some openers run as long as the browser. */
const PATIENCE_MS = 2_000;

interface DashboardOptions {
  port?: number;
  open: boolean;
  project: boolean;
}

/** `dashboard`: makes sure that the daemon has a port for the dashboard, and opens it in a browser. */
export async function dashboard({ port, open, project }: DashboardOptions): Promise<void> {
  const ref = projectRef({ project });
  const { client } = await daemonWith(ref);
  const { url, token, ticket } = await client
    .call<DashboardAnswer>('POST', '/v1/dashboard', { body: { project: ref, port } })
    .catch(async (error: unknown) => {
      throw await explainListening(error, port ?? 0, 'dashboard');
    });
  // Every user of the machine can see the arguments of a program, so the browser gets a ticket that works once.
  if (open && (await openBrowser(`${url}?token=${ticket}`))) {
    printAnswer(url);
    return;
  }
  if (open) printNote('no browser could be started; open this address, and do not share it:');
  printAnswer(`${url}?token=${token}`);
}

/** Opens an address in the user's browser. Resolves with false where there is no browser or no screen. */
async function openBrowser(url: string): Promise<boolean> {
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

function findOpener(): string[] {
  const { platform, env } = process;
  if (platform === 'darwin') return ['open'];
  if (platform === 'win32') return ['rundll32', 'url.dll,FileProtocolHandler'];
  if (env.WSL_DISTRO_NAME && existsSync('/usr/bin/wslview')) return ['wslview'];
  // Without a screen xdg-open would start a browser for terminals and wait for it.
  return env.DISPLAY || env.WAYLAND_DISPLAY || env.BROWSER ? ['xdg-open'] : [];
}
