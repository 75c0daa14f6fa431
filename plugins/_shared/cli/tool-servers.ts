import { rmSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import type { AgentToolServer, Call, DriverContext } from 'drivebay/plugin';
import type { CliOptions } from './cli-run';
import type { Changes } from './plain-environment';
import { programFolder } from './warm/program-folder';

type Reach = AgentToolServer['reach'];

/** A tool server as the configuration of a program may show it: what is private of a program stands in its script. */
export interface HandedServer extends Omit<AgentToolServer, 'reach'> {
  reach: { kind: 'script'; command: string; args: string[] } | Extract<Reach, { kind: 'address' }>;
}

/** The tool servers of one run. */
export interface Handed {
  servers: readonly HandedServer[];
  /** Private, and there for this run only. Absent without a server. */
  folder?: string;
  /** Writes a file that only this user may read, and returns its path. */
  write: (name: string, text: string) => string;
  /** Takes the files away. */
  release: () => void;
}

const NONE: Handed = {
  servers: [],
  write: () => {
    throw new Error('there is no tool server');
  },
  release: () => undefined,
};

/**
 * Makes the tool servers of an agent ready for its program. Each one that is a program starts by a script, so that no
 * argument has a key, and none of them sees the key of the provider, which the program has from `env`.
 */
export async function handOver(context: DriverContext<CliOptions>, call: Call, env: Changes): Promise<Handed> {
  const given = (await call.workspace?.toolServers?.()) ?? [];
  if (given.length === 0) return NONE;
  const folder = programFolder(await context.scratch(), 'tools');
  const write = (name: string, text: string): string => {
    const file = join(folder, name);
    writeFileSync(file, text, { mode: 0o600 });
    return file;
  };
  const keys = keysIn(context, env);
  const servers = given.flatMap(({ reach, ...server }): HandedServer[] => {
    if (reach.kind === 'address') return [{ ...server, reach }];
    const bad = Object.keys(reach.env).find((name) => !NAME.test(name));
    if (bad !== undefined) {
      call.log.warn(
        `the tool server "${server.name}" is left out: its variable ${bad} has a name that no shell can set`,
      );
      return [];
    }
    const script = write(`${server.name}.sh`, toScript(reach, keys));
    return [{ ...server, reach: { kind: 'script', command: '/bin/sh', args: [script] } }];
  });
  return { servers, folder, write, release: () => rmSync(folder, { recursive: true, force: true }) };
}

const NAME = /^[A-Za-z_]\w*$/;

/** The variables with the key of the provider: it has them for its own backend. */
function keysIn({ options, apiKey }: Pick<DriverContext<CliOptions>, 'options' | 'apiKey'>, env: Changes): string[] {
  const { api_key_env: own } = options;
  if (!own) return [];
  const key = apiKey();
  const names = Object.keys(env).filter((name) => env[name] === key);
  return [...new Set([own, ...names])].filter((name) => NAME.test(name));
}

function toScript({ command, args, env, cwd }: Extract<Reach, { kind: 'program' }>, keys: readonly string[]): string {
  return [
    `cd ${quoted(cwd)} || exit 1`,
    ...keys.map((name) => `unset ${name}`),
    ...Object.entries(env).map(([name, value]) => `export ${name}=${quoted(value)}`),
    `exec ${[command, ...args].map(quoted).join(' ')}`,
    '',
  ].join('\n');
}

const quoted = (text: string) => `'${text.replaceAll("'", "'\\''")}'`;
