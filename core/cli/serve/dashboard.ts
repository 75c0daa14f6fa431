import { dashboardAnswerSchema } from '../../daemon/control/protocol';
import { explainListening } from './explain-listening';
import { openBrowser } from './open-browser';
import { printAnswer, printNote } from '../terminal/print';
import { ensureDaemon, openAtDaemon, projectRef } from '../daemon/use-daemon';

export interface DashboardOptions {
  port?: number;
  /** Whether to start a browser. */
  open: boolean;
  project: boolean;
}

/** `dashboard`: makes sure that the daemon has a port for it, and opens it in a browser. */
export async function dashboard({ port, open, project }: DashboardOptions): Promise<void> {
  const daemon = await ensureDaemon();
  const ref = projectRef({ project });
  await openAtDaemon(daemon, ref);
  const body = { project: ref, ...(port !== undefined && { port }) };
  const { url, token, ticket } = await daemon.client
    .call('POST', '/v1/dashboard', dashboardAnswerSchema, { body })
    .catch(async (error: unknown) => {
      throw await explainListening(error, port ?? 0, 'dashboard');
    });
  // Everybody on the machine sees a program's arguments: there stands what can be used once.
  if (open && (await openBrowser(`${url}?token=${ticket}`))) {
    printAnswer(url);
    return;
  }
  if (open) printNote('no browser could be started; open this address, which is for you alone:');
  printAnswer(`${url}?token=${token}`);
}
