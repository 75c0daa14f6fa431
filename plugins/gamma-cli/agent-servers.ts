import { mkdirSync, symlinkSync, writeFileSync } from 'node:fs';
import { dirname, join } from 'node:path';
import type { Call, DriverContext } from 'drivebay/plugin';
import { matchesFlag } from '../_shared/cli/extra-args';
import type { Changes } from '../_shared/cli/plain-environment';
import { type Handed, type HandedServer, handOver } from '../_shared/cli/tool-servers';
import { fieldsOf, isFields } from '../_shared/fields';
import { namesIn, readText } from './acp/session-files';
import { bringBack, timesIn } from './bring-back';
import type { Cli } from './cli';
import { ownFile, parseSettings } from './own-folder';
import type { Options } from './environment';

export const SERVER_FLAG = '--mcp-config';
const SETTINGS = 'settings.json';

/** The tool servers of a run, and the file that a flag names; Gemini CLI has no flag for them. */
interface HandedHere extends Pick<Handed, 'release'> {
  serverFile?: string;
}

/** Makes the tool servers of an agent ready for the program, besides those of the user's own settings. */
export async function handServers(
  context: DriverContext<Options>,
  call: Call,
  env: Changes,
  { dialect, flags }: Cli,
): Promise<HandedHere> {
  const { servers, folder, write, release } = await handOver(context, call, env);
  if (folder === undefined) return { release };
  const mcpServers = Object.fromEntries(servers.map((server) => [server.name, toEntry(server)]));
  if (dialect === 'gemini') {
    const home = join(folder, 'home');
    const own = ownFile('gemini');
    const before = timesIn(own, namesIn(own));
    try {
      env.GEMINI_CLI_HOME = makeHome(home, mcpServers, (reason) => call.log.warn(reason));
    } catch (error) {
      release();
      throw error;
    }
    const keep = () => {
      try {
        bringBack(join(home, '.gemini'), own, before, (name) => name === SETTINGS || /\.(lock|tmp)$/.test(name));
      } catch (error) {
        call.log.warn(`what the program has written to ${own} is not kept: ${(error as Error).message}`);
      }
      release();
    };
    return { release: keep };
  }
  const isTaken = context.options.extra_args.some((argument) => matchesFlag(argument, [SERVER_FLAG]));
  if (flags.has(SERVER_FLAG) && !isTaken)
    return { serverFile: write(SETTINGS, JSON.stringify({ mcpServers })), release };
  const reason = isTaken ? `extra_args has ${SERVER_FLAG}` : `the program does not know ${SERVER_FLAG}: update it`;
  call.log.warn(`the tool servers of the agent are left out: ${reason}`);
  return { release };
}

function toEntry({ reach, timeoutMs: timeout, only }: HandedServer): object {
  // The user has chosen the server, and a run has no user to ask.
  const common = { timeout, trust: true, ...(only && { includeTools: only }) };
  if (reach.kind === 'script') return { command: reach.command, args: reach.args, ...common };
  const { url, headers, type } = reach;
  return { [type === 'sse' ? 'url' : 'httpUrl']: url, headers, ...common };
}

/**
 * Makes a home folder for Gemini CLI that is the user's own but for the settings, which have the servers, too. It reads servers
 * from settings alone, and takes other files of settings from the administrator of the machine only.
 */
function makeHome(home: string, mcpServers: Record<string, object>, warn: (reason: string) => void): string {
  const own = ownFile('gemini');
  const folder = join(home, '.gemini');
  mkdirSync(folder, { recursive: true, mode: 0o700 });
  link(dirname(own), home, ['.env', '.agents']);
  // The program keeps its sessions there.
  mkdirSync(join(own, 'tmp'), { recursive: true, mode: 0o700 });
  const names = namesIn(own);
  const text = readText(join(own, SETTINGS));
  const usual = text === '' ? {} : parseSettings(text);
  if (!isFields(usual)) {
    // The program tells what is wrong with them.
    warn(`the tool servers of the agent are left out: ${join(own, SETTINGS)} cannot be read`);
    link(own, folder, names);
    return home;
  }
  link(
    own,
    folder,
    names.filter((name) => name !== SETTINGS && !name.endsWith('.lock')),
  );
  const settings = { ...usual, mcpServers: { ...fieldsOf(usual.mcpServers), ...mcpServers } };
  writeFileSync(join(folder, SETTINGS), JSON.stringify(settings), { mode: 0o600 });
  return home;
}

function link(from: string, to: string, names: readonly string[]): void {
  const present = namesIn(from);
  for (const name of names) if (present.includes(name)) symlinkSync(join(from, name), join(to, name));
}
