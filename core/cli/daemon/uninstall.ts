import { existsSync, lstatSync, readFileSync, rmSync } from 'node:fs';
import { dirname, join } from 'node:path';
import { ControlClient } from '../../daemon/client/control-client';
import { packageRoot, productName } from '../../package';
import { homeFolder, type Paths } from '../../paths';
import { pathsHere } from '../here';
import { findServiceManager } from '../service/find-service-manager';
import { serviceUninstall } from '../service/service';
import { printAnswer, printNote } from '../terminal/print';
import { daemonStop } from './daemon';

/** Begins each script of `completion`, so that a file with this text is ours. */
const MADE_BY = '# Made by `drivebay completion';

/** Where such a script belongs, from the home folder; for fish from the folder of configurations. */
const FISH_SCRIPT = 'fish/completions/drivebay.fish';
const SCRIPTS = ['.local/share/bash-completion/completions/drivebay', '.zfunc/_drivebay', '.zsh/completions/_drivebay'];
const SHELL_FILES = ['.bashrc', '.bash_profile', '.zshrc'];

/** `uninstall`: undoes on this machine what commands have set up. The configuration is the user's own work and stays. */
export async function uninstall({ state }: { state?: boolean }): Promise<void> {
  const paths = pathsHere();
  const isKnownSystem = ['linux', 'darwin'].includes(process.platform);
  if (isKnownSystem && existsSync(findServiceManager(process.env).file)) await serviceUninstall();
  await daemonStop();
  const home = homeFolder(process.env) ?? '/';
  removeCompletion([join(dirname(paths.configHome), FISH_SCRIPT), ...SCRIPTS.map((name) => join(home, name))]);
  sayLines(home);
  if (state) for (const folder of [paths.state, paths.cache]) await removeFolder(folder, paths);
  else if (existsSync(paths.state)) printAnswer(`kept: ${paths.state}; to remove records and usage too: --state`);
  if (existsSync(paths.configHome)) printAnswer(`kept: ${paths.configHome}, which is your own work`);
  const program = `npm uninstall -g ${productName}, or use the package manager that installed it`;
  printAnswer(`to remove the program: ${program}; it is in ${packageRoot}`);
}

function removeCompletion(files: string[]): void {
  for (const file of files) {
    if (!textOf(file).includes(MADE_BY)) continue;
    rmSync(file);
    printAnswer(`removed: ${file}`);
  }
}

/** A line in a file that the user writes is the user's to take out. */
function sayLines(home: string): void {
  for (const file of SHELL_FILES.map((name) => join(home, name))) {
    if (textOf(file).includes('drivebay completion'))
      printNote(`note: take the line with drivebay completion out of ${file}`);
  }
}

function textOf(file: string): string {
  try {
    return readFileSync(file, 'utf8');
  } catch {
    return '';
  }
}

/** Removes a folder that is certainly ours alone. */
async function removeFolder(folder: string, { configHome, userConfig }: Paths): Promise<void> {
  const found = lstatSync(folder, { throwIfNoEntry: false });
  if (!found) return;
  const holdsConfig = [configHome, userConfig].some((config) => `${config}/`.startsWith(`${folder}/`));
  const isOurs = found.isDirectory() && found.uid === process.getuid?.() && !holdsConfig;
  if (!isOurs || (await hasOtherDaemon(folder))) return printNote(`note: ${folder} has another use, too, so it stays`);
  rmSync(folder, { recursive: true });
  printAnswer(`removed: ${folder}`);
}

/** A daemon with another configuration may use the same state folder. The own one has ended by now. */
async function hasOtherDaemon(folder: string): Promise<boolean> {
  const socket = join(folder, 'daemon.sock');
  return existsSync(socket) && (await new ControlClient(socket).describe()) !== undefined;
}
