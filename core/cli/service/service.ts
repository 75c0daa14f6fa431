import { existsSync } from 'node:fs';
import { readFile, rm, rmdir } from 'node:fs/promises';
import { dirname } from 'node:path';
import { setTimeout as pause } from 'node:timers/promises';
import { readVariables } from '../../config/environment';
import { codeOf, messageOf } from '../../errors';
import { makeFolder } from '../../make-folder';
import { explainFolder } from '../../paths';
import { writeWhole } from '../../write-whole';
import { EXIT } from '../exit-codes';
import { explainWrite } from '../explain-write';
import { pathsHere } from '../here';
import { openProjectHere } from '../open-project';
import { findPortOwner } from '../serve/port-owner';
import { formatFacts, paint, printAnswer, printNote, printReport, printWarnings } from '../terminal/print';
import { findServiceManager } from './find-service-manager';
import { ServiceError, type ServiceManager } from './service-manager';
import { installedPort, planService, type ServiceOptions, type ServicePlan } from './service-plan';

/** The machine may be busy, most of all during a login. */
const READY_MS = 30_000;
const LOOK_MS = 200;

/** `service install`: the gateway now and at each login. Resolves when the gateway answers. */
export async function serviceInstall({ print, ...options }: ServiceOptions & { print?: boolean }): Promise<void> {
  const manager = findServiceManager(process.env);
  const plan = planService(options, process.env);
  const text = manager.describe(plan);
  if (print) return printAnswer(text.trimEnd());
  // A broken configuration is an error here and not in a log. The service does not use the project of this folder.
  const { project } = openProjectHere({ useProject: false });
  printWarnings(project.warnings);
  const before = await readFile(manager.file).catch(() => undefined);
  await project.close();
  const made = makeFor(manager.file);
  await writeUnit(manager.file, text, made);
  await startOrRestore(manager, before, made);
  printAnswer(`written: ${manager.file}`);
  sayMissing([...project.variables, options.apiKeyEnv ?? ''], plan);
  await untilAnswering(options.port, manager.logCommand);
  printAnswer(`the gateway runs at http://127.0.0.1:${options.port}, and will at each login`);
}

function makeFor(file: string): string | undefined {
  try {
    return makeFolder(dirname(file));
  } catch (error) {
    throw explainFolder(error, pathsHere(), 'configHome');
  }
}

async function writeUnit(file: string, text: string, made: string | undefined): Promise<void> {
  try {
    // For the user alone: addresses of proxies may contain passwords.
    writeWhole(file, text);
  } catch (error) {
    if (made !== undefined) await removeEmpty(dirname(file), made);
    throw explainWrite(file, error, 'run the gateway in a terminal: drivebay serve');
  }
}

/** A service that does not start now must not start at the next login either. */
async function startOrRestore(manager: ServiceManager, before: Buffer | undefined, made?: string): Promise<void> {
  try {
    await manager.start();
  } catch (error) {
    try {
      await restore(manager, before, made);
    } catch (second) {
      printNote(`warning: ${manager.file} is not as it was before: ${messageOf(second)}`);
    }
    throw error;
  }
}

async function restore(manager: ServiceManager, before: Buffer | undefined, made?: string): Promise<void> {
  if (before !== undefined) return writeWhole(manager.file, before);
  await manager.stop().catch(() => undefined);
  await rm(manager.file, { force: true });
  if (made !== undefined) await removeEmpty(dirname(manager.file), made);
}

/** Removes the folders that were made for a file, from the innermost to `made`, as far as nothing else is in them. */
async function removeEmpty(folder: string, made: string): Promise<void> {
  try {
    for (let path = folder; path.startsWith(made); path = dirname(path)) await rmdir(path);
  } catch (error) {
    if (!['ENOTEMPTY', 'EEXIST', 'ENOENT'].includes(String(codeOf(error)))) throw error;
  }
}

/** Names the keys that the service will not have. A key that this terminal does not have either is not worth a note. */
function sayMissing(names: string[], { environment, environmentFile }: ServicePlan): void {
  const set = readVariables(environmentFile);
  for (const name of new Set(names)) {
    if (!process.env[name] || set[name] || environment[name]) continue;
    const fix = `add a line ${name}=... to ${environmentFile}, then install again`;
    printNote(`note: the service has no ${name}; ${fix}`);
  }
}

export async function serviceUninstall(): Promise<void> {
  const manager = findServiceManager(process.env);
  if (!existsSync(manager.file)) return printAnswer(`no service is installed: there is no ${manager.file}`);
  try {
    await manager.stop();
  } catch (error) {
    if (!(error instanceof ServiceError)) throw error;
    // Without the file the service does not start again.
    printNote(`note: ${error.message}`);
  }
  await rm(manager.file);
  printAnswer(`removed: ${manager.file}`);
}

/** Throws where this command cannot reach the manager of the service that runs. To be called before the service ends. */
export async function demandService(): Promise<void> {
  const manager = findServiceManager(process.env);
  const state = existsSync(manager.file) ? await manager.state() : `there is no ${manager.file}`;
  if (/^(active|loaded)/.test(state)) return;
  throw new ServiceError(`the service cannot be restarted from here: ${state}`, 'run it where you log in');
}

/** Starts the service again, with the file that it has. */
export async function serviceRestart(): Promise<void> {
  const manager = findServiceManager(process.env);
  await manager.start();
  const port = await installedPort(manager.file);
  if (port !== undefined) await untilAnswering(port, manager.logCommand);
}

/** `service status`: exit code 0 where the service is installed and answers. */
export async function serviceStatus({ json }: { json?: boolean }): Promise<void> {
  const manager = findServiceManager(process.env);
  const { file, logCommand } = manager;
  const installed = existsSync(file);
  const state = installed ? await manager.state() : 'not installed';
  const port = installed ? await installedPort(file) : undefined;
  const answers = port !== undefined && (await hasGateway(port));
  if (!answers) process.exitCode = EXIT.failure;
  printReport(json, { installed, state, file, port: port ?? null, answers }, () => {
    if (!installed) return 'no service is installed; to install one: drivebay service install';
    const gateway = answers ? paint('green', `answers at http://127.0.0.1:${port}`) : paint('red', 'does not answer');
    return formatFacts([
      ['state', state],
      ['gateway', gateway],
      ['file', file],
      ['log', logCommand.join(' ')],
    ]);
  });
}

async function untilAnswering(port: number, logCommand: string[]): Promise<void> {
  for (const end = Date.now() + READY_MS; Date.now() < end; await pause(LOOK_MS)) {
    if (await hasGateway(port)) return;
  }
  const log = `see: ${logCommand.join(' ')}`;
  throw new ServiceError(`the service has started, but does not answer at port ${port}`, log);
}

async function hasGateway(port: number): Promise<boolean> {
  return (await findPortOwner(port)).is === 'gateway';
}
