import type { Call, DriverContext } from 'drivebay/plugin';
import type { Changes } from '../_shared/cli/plain-environment';
import type { Handed, HandedServer } from '../_shared/cli/tool-servers';
import { fieldsOf } from '../_shared/fields';
import { codexConfig } from './chat-settings';
import { tomlString } from './command-line';

/** As long as Drivebay itself waits: the first start of a program may download it. */
const START_S = 60;
/** By them Drivebay finds what it has started, and how deep agents are nested. */
const OF_RUN = ['DRIVEBAY_RUN_ID', 'DRIVEBAY_DEPTH'];

interface ServerSettings {
  settings: string[];
  /** Values that no argument may show. */
  env: Changes;
}

/** The settings with which the program has the tool servers of an agent, besides those of the user's own configuration. */
export async function serverSettings(
  { servers }: Handed,
  { log }: Pick<Call, 'log'>,
  { redact }: Pick<DriverContext, 'redact'>,
  changes: Changes,
): Promise<ServerSettings> {
  const all: ServerSettings = { settings: [], env: {} };
  if (servers.length === 0) return all;
  const own = Object.keys(fieldsOf((await codexConfig()).mcp_servers));
  // The program gives its servers few variables only, unless they are named.
  const names = Object.keys(process.env).filter((name) => NAME.test(name) && !(name in changes));
  for (const server of servers) {
    const reason = refusal(server, redact);
    if (reason !== undefined) {
      log.warn(`the tool server "${server.name}" is left out: ${reason}`);
      continue;
    }
    // A server of the user with this name would be mixed with ours.
    const name = own.includes(server.name) ? `${server.name}_drivebay` : server.name;
    const fields = { ...fieldsFor(server, all.env, [...names, ...OF_RUN]), ...limitsOf(server) };
    all.settings.push(...Object.entries(fields).map(([field, value]) => `mcp_servers.${name}.${field}=${value}`));
  }
  return all;
}

function refusal({ reach }: HandedServer, redact: DriverContext['redact']): string | undefined {
  if (reach.kind === 'script') return undefined;
  if (reach.type === 'sse') return 'Codex does not speak the older SSE';
  return redact(reach.url) === reach.url
    ? undefined
    : 'its address has a key in it, which every user of the machine would see';
}

function fieldsFor({ name, reach }: HandedServer, env: Changes, names: readonly string[]): Record<string, string> {
  if (reach.kind === 'script') {
    return { command: tomlString(reach.command), args: list(reach.args), env_vars: list(names) };
  }
  const headers = Object.entries(reach.headers).map(([header, value], index) => {
    const variable = `MCP_HEADER_${name.replace(/-/g, '_').toUpperCase()}_${index + 1}`;
    env[variable] = value;
    return `${tomlString(header)}=${tomlString(variable)}`;
  });
  return { url: tomlString(reach.url), ...(headers.length > 0 && { env_http_headers: `{${headers.join(',')}}` }) };
}

function limitsOf({ timeoutMs, only }: HandedServer): Record<string, string> {
  return {
    startup_timeout_sec: String(START_S),
    tool_timeout_sec: String(Math.ceil(timeoutMs / 1000)),
    // The user has chosen the server, and a run has no user to ask.
    default_tools_approval_mode: tomlString('approve'),
    ...(only && { enabled_tools: list(only) }),
  };
}

const NAME = /^(?!DRIVEBAY_)[A-Za-z_]\w*$/;
const list = (texts: readonly string[]) => `[${texts.map(tomlString).join(',')}]`;
