import { dashboardAnswerSchema } from '../../daemon/control/protocol';
import { openAtDaemon, projectRef } from '../daemon/project-at-daemon';
import { ensureDaemon } from '../daemon/running-daemon';
import { explainListening } from '../serve/port-owner';
import { printAnswer, printNote } from '../terminal/print';
import { openBrowser } from './open-browser';

export interface DashboardOptions {
  port?: number;
  /** Whether to start a browser. */
  open: boolean;
  project: boolean;
}

/** `dashboard`: makes sure that the daemon has a port for the dashboard, and opens it in a browser. */
export async function dashboard({ port, open, project }: DashboardOptions): Promise<void> {
  const daemon = await ensureDaemon();
  const ref = projectRef({ project });
  await openAtDaemon(daemon, ref);
  const { url, token, ticket } = await daemon.client
    .call('POST', '/v1/dashboard', dashboardAnswerSchema, { body: { project: ref, port } })
    .catch(async (error: unknown) => {
      throw await explainListening(error, port ?? 0, 'dashboard');
    });
  // Every user of the machine can see the arguments of a program, so the browser gets a ticket that works once.
  if (open && (await openBrowser(`${url}?token=${ticket}`))) {
    printAnswer(url);
    return;
  }
  if (open) printNote('no browser could be started; open this address and share it with nobody:');
  printAnswer(`${url}?token=${token}`);
}
