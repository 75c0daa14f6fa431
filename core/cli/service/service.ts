import { existsSync } from 'node:fs';
import { chmod, mkdir, rm, writeFile } from 'node:fs/promises';
import { dirname } from 'node:path';
import { setTimeout as pause } from 'node:timers/promises';
import { EXIT } from '../exit-codes';
import { formatFacts } from '../terminal/format-facts';
import { open } from '../open';
import { findPortOwner } from '../serve/port-owner';
import { paint, printAnswer, printJson, printNote, printWarnings } from '../terminal/print';
import { missingKeys } from './missing-keys';
import { installedPort } from './installed-port';
import { findServiceManager } from './find-service-manager';
import { ServiceError } from './manager-command';
import { planService, type ServiceOptions } from './service-plan';

export type InstallOptions = ServiceOptions & { print?: boolean };

/** A machine may be busy, most of all at the moment when everybody logs in. */
const READY_MS = 30_000;
const LOOK_MS = 200;

/** `service install`: the gateway at each login, and now. Resolves when it answers. */
export async function serviceInstall({ print, ...options }: InstallOptions): Promise<void> {
  const manager = findServiceManager(process.env);
  const plan = planService(options, process.env);
  const text = manager.describe(plan);
  if (print) return printAnswer(text.trimEnd());
  // A broken configuration is said here, and not in a log. The project of this folder is not the service's.
  const { project } = await open({ useProject: false });
  printWarnings(project.warnings);
  await mkdir(dirname(manager.file), { recursive: true });
  await writeFile(manager.file, text, { mode: 0o600 });
  // A file that was there keeps its mode otherwise; addresses of proxies may hold passwords.
  await chmod(manager.file, 0o600);
  printAnswer(`written: ${manager.file}`);
  // What is not set here, either, is not the service's to miss.
  const named = [...project.variables, ...(options.apiKeyEnv ? [options.apiKeyEnv] : [])];
  const missing = missingKeys(
    named.filter((name) => process.env[name]),
    plan,
  );
  await project.close();
  for (const name of missing) {
    printNote(
      `note: the service has no ${name}; add a line ${name}=... to ${plan.environmentFile}, then install again`,
    );
  }
  await manager.start();
  await untilAnswering(options.port, manager.logCommand);
  printAnswer(`the gateway runs at http://127.0.0.1:${options.port}, and will at each login`);
}

/** `service uninstall`: ends it and takes it away. */
export async function serviceUninstall(): Promise<void> {
  const manager = findServiceManager(process.env);
  if (!existsSync(manager.file)) return printAnswer(`no service is installed: there is no ${manager.file}`);
  try {
    await manager.stop();
  } catch (error) {
    if (!(error instanceof ServiceError)) throw error;
    // Without the file it will not be started again.
    printNote(`note: ${error.message}`);
  }
  await rm(manager.file);
  printAnswer(`removed: ${manager.file}`);
}

/** `service status`: exit code 0 where it is installed and answers. */
export async function serviceStatus({ json }: { json?: boolean }): Promise<void> {
  const manager = findServiceManager(process.env);
  const installed = existsSync(manager.file);
  const state = installed ? await manager.state() : 'not installed';
  const port = installed ? await installedPort(manager.file) : undefined;
  const answers = port !== undefined && (await hasGateway(port));
  if (!answers) process.exitCode = EXIT.failure;
  if (json) return printJson({ installed, state, file: manager.file, port: port ?? null, answers });
  if (!installed) return printAnswer('no service is installed; to install one: drivebay service install');
  const gateway = answers ? paint('green', `answers at http://127.0.0.1:${port}`) : paint('red', 'does not answer');
  printAnswer(
    formatFacts([
      ['state', state],
      ['gateway', gateway],
      ['file', manager.file],
      ['log', manager.logCommand.join(' ')],
    ]),
  );
}

async function untilAnswering(port: number, logCommand: string[]): Promise<void> {
  for (const end = Date.now() + READY_MS; Date.now() < end; await pause(LOOK_MS)) {
    if (await hasGateway(port)) return;
  }
  throw new ServiceError(
    `the service was started, and does not answer at port ${port}`,
    `see: ${logCommand.join(' ')}`,
  );
}

async function hasGateway(port: number): Promise<boolean> {
  return (await findPortOwner(port)).is === 'gateway';
}
