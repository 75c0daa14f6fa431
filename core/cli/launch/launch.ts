import { dirname, join } from 'node:path';
import { writeFileSync } from 'node:fs';
import { explainPrefix } from '../../config/explain-prefix';
import { waitAtMost } from '../../contract/wait-at-most';
import { launchFolder } from '../../daemon/launched-programs';
import { openPlugins } from '../../daemon/project/open-plugins';
import { describeBriefly } from '../../daemon/project/opened-project';
import { type ClientSettings, clientSettings } from '../../plugins/client-settings';
import type { LaunchClient } from '../../plugins/clients';
import { makeOwnFolder, removeOwnFolder, sweepOwnFolders } from '../../subprocess/owned-folder';
import { runInTerminal } from '../../subprocess/terminal-program';
import { printAnswer, printNote, printWarnings, printWarningsFor } from '../terminal/print';
import { daemonWith, type OpenedDaemon, projectRef } from '../daemon/project-at-daemon';
import { findDaemonHere } from '../daemon/running-daemon';
import { exitCodeOf } from '../exit-codes';
import { pathsHere } from '../here';
import { openProjectHere } from '../open-project';
import { DEFAULT_PORT } from '../serve/serve-options';
import { InterruptedError, onSignal, untilInterrupted } from '../terminal/signals';
import { makeFolder } from '../../make-folder';
import { explainFolder } from '../../paths';
import { chooseModel, type ChosenModel, type WantedModel } from './choose-model';
import { chooseClient, findClientProgram, listClients, printClients } from './find-client';
import { nameBehind, wordsBehind } from './words-behind';
import { findOpenGateway, NO_KEY, useOpenGateway } from './open-gateway';
import { OwnGateway, type UsedGateway } from './own-gateway';
import { settingsScript } from './print-settings';

/**
 * A program repeats its requests to a provider that is down, for minutes. So the check may delay its start this long; a later
 * result is reported after its end.
 */
const CHECK_LIMIT_MS = 500;

interface LaunchOptions extends WantedModel {
  list?: boolean;
  print?: boolean;
  json?: boolean;
  project: boolean;
}

/** `launch`: a program on a model of the user's choice, with the terminal. The exit code is that of the program. */
export async function launch(first: string | undefined, others: string[], options: LaunchOptions): Promise<void> {
  const clients = listClients(openPlugins(pathsHere(), { environment: process.env }));
  if (options.list) return printClients(clients, options.json);
  const [name, given] = nameBehind(first, others);
  const client = chooseClient(name, clients);
  const words = wordsBehind(client, given);
  if (options.print) return print(client, words, options);
  const program = await findClientProgram(client).catch(async (error: unknown) => {
    // A mistake in the command comes first: the program may take minutes to install.
    await chooseHere(options);
    throw error;
  });
  const ref = projectRef(options);
  const daemon = await untilInterrupted(daemonWith(ref, options.provider, (project) => askedBy(options, project)));
  const chosen = choose(daemon.project, options);
  const open = findOpenGateway(daemon.info, daemon.project, ref);
  const providers = [chosen.provider.name, chosen.small.split(':', 1)[0]!];
  const gateway: UsedGateway = open
    ? useOpenGateway(daemon, ref, open.url, providers)
    : await untilInterrupted(OwnGateway.open(daemon, ref, providers));
  try {
    await untilInterrupted(waitAtMost(CHECK_LIMIT_MS, gateway.checked));
    for (const warning of gateway.takeWarnings()) printNote(warning.replace(/^warn +/, 'warning: '));
    const onStart = (pid: number) => void gateway.endWith?.(pid).catch(() => undefined);
    await start({ client, program, words, daemon, chosen, url: gateway.url, key: gateway.key, onStart });
  } finally {
    await gateway.close?.();
    tellAfterwards(gateway, client);
  }
}

/** Known before the model is chosen, because what is wrong with that choice may stand in a warning. */
function askedBy({ provider, smallModel }: LaunchOptions, project: { defaultProvider?: string | null | undefined }) {
  return [provider || project.defaultProvider, smallModel?.split(':', 1)[0]];
}

function choose(project: Parameters<typeof chooseModel>[0], options: LaunchOptions): ChosenModel {
  const chosen = chooseModel(project, options);
  const names = project.providers.map(({ name }) => name);
  if (options.model && !options.provider) printWarnings(explainPrefix(options.model, names));
  return chosen;
}

/** Stands where the user puts the key: no command can know it. */
const CLIENT_KEY = 'KEY-OF-A-CLIENT';

interface Start {
  client: LaunchClient;
  program: string;
  /** Arguments of the user. */
  words: string[];
  daemon: OpenedDaemon;
  chosen: ChosenModel;
  url: string;
  key: string;
  onStart: (pid: number) => void;
}

async function start({ client, program, words, daemon, chosen, url, key, onStart }: Start): Promise<void> {
  const parent = launchFolder(pathsHere().state);
  sweepOwnFolders(parent);
  const interrupt = new AbortController();
  // A signal that ended this program at once would leave the folder, which has the key in it.
  const release = onSignal((signal) => interrupt.abort(new InterruptedError(signal)));
  const folder = Object.keys(client.files).length > 0 ? makeOwnFolder(parent) : undefined;
  try {
    const { environment, args, files } = settingsFor(client, chosen, { url, key, folder });
    if (folder !== undefined) writeFiles(folder, files);
    sayTools(client, chosen, daemon.project.providers);
    printNote(`${client.title} on ${chosen.name}, by the gateway ${url}`);
    const parts = { command: program, args: [...args, ...words], environment, interrupt: interrupt.signal, onStart };
    const { code, signal } = await runInTerminal(parts);
    process.exitCode = code ?? (signal ? exitCodeOf(signal) : 1);
  } finally {
    if (folder !== undefined) removeOwnFolder(folder);
    release();
  }
}

function settingsFor(
  client: LaunchClient,
  { name: model, small: small_model, contextWindow: context }: ChosenModel,
  place: { url: string; key: string; folder: string | undefined },
): ClientSettings {
  return clientSettings(client, { ...place, model, small_model, context });
}

/** A model without tools answers, and the program can do nothing. */
function sayTools(
  { title }: LaunchClient,
  { provider }: ChosenModel,
  providers: readonly ChosenModel['provider'][],
): void {
  if (provider.tools) return;
  const others = providers.filter(({ tools }) => tools).map(({ name }) => name);
  const advice = others.length > 0 ? `; with tools: --provider ${others.join(', ')}` : '';
  printNote(`note: ${provider.name} takes no tools of clients, and ${title} may need them${advice}`);
}

/** What could not be said while the program had the terminal. */
function tellAfterwards(gateway: UsedGateway, { title }: LaunchClient): void {
  if (gateway.isLost) printNote(`note: the daemon ended while ${title} ran, and the gateway with it`);
  const warnings = gateway.takeWarnings();
  if (warnings.length === 0) return;
  printNote(`note: the gateway of ${title} warned:`);
  for (const warning of warnings) printNote(`  ${warning}`);
}

/** Without a daemon. */
async function chooseHere(options: LaunchOptions) {
  const { project } = openProjectHere({ useProject: options.project });
  const { defaultProvider = null, globalConfig } = project;
  const providers = project.devices.llms().map(describeBriefly);
  const warnings = [...project.takeNotices(), ...project.warnings];
  printWarningsFor(askedBy(options, { defaultProvider }), providers, warnings);
  const chosen = choose({ providers, defaultProvider, globalConfig }, options);
  await project.close();
  return { project, chosen };
}

async function print(client: LaunchClient, words: string[], options: LaunchOptions): Promise<void> {
  const { project, chosen } = await chooseHere(options);
  const root = project.paths.projectRoot ?? null;
  const daemon = await findDaemonHere().catch(() => undefined);
  const open = daemon && findOpenGateway(daemon.info, { root }, projectRef(options));
  const key = project.clients ? CLIENT_KEY : NO_KEY;
  if (project.clients) {
    printNote(`note: the gateway wants the key of a client: put it in the place of ${CLIENT_KEY}`);
    printNote('  to make one: drivebay clients new NAME');
  } else if (!open) printNote('note: no gateway without a key is open for this folder; to open it: drivebay serve');
  const url = open?.url ?? `http://127.0.0.1:${DEFAULT_PORT}`;
  const folder = join(project.paths.configHome, 'clients', client.name);
  const settings = settingsFor(client, chosen, { url, key, folder });
  const all = { ...settings, args: [...settings.args, ...words] };
  printAnswer(settingsScript(client.programs[0]!, all, folder, `${client.title} on ${chosen.name}`));
}

/** Writes files that only the user can read. */
function writeFiles(folder: string, files: Readonly<Record<string, string>>): void {
  try {
    for (const [path, text] of Object.entries(files)) {
      const file = join(folder, path);
      makeFolder(dirname(file));
      writeFileSync(file, text, { mode: 0o600 });
    }
  } catch (error) {
    // Where the disk is full, Node names no file.
    throw explainFolder(error, pathsHere(), 'state');
  }
}
