import { resolve } from 'node:path';
import { type Command, InvalidArgumentError, Option } from 'commander';
import { UsageError } from '../../errors';
import { LOG_FORMATS, LOG_LEVELS, type LogFormat, type LogLevel } from '../../log/log-options';
import { choiceOption, collect, NO_PROJECT, parsePort, parseVariable } from '../command-options';
import { workingDirectory } from '../here';

export const DEFAULT_PORT = 8080;
/** Set where a service manager runs `serve`: such a gateway has no terminal. */
export const SERVICE_MARK = 'DRIVEBAY_SERVICE';
const OF_OTHERS = ['host', 'bind', 'listen', 'address'];

export interface ServeOptions {
  port: number;
  demo?: boolean;
  allowHost?: string[];
  allowOrigin?: string[];
  apiKeyEnv?: string;
  upstreamStatus?: boolean;
  metrics?: boolean;
  watch?: boolean;
  record?: string;
  recordContent?: boolean;
  logLevel: LogLevel;
  logFormat: LogFormat;
  project: boolean;
  /** Serves MCP clients, too, with files of these folders. */
  mcp?: { roots: string[] };
}

/** Where the requests of the gateway are written to. Throws a UsageError where only half of it is said. */
export function recordOf({
  record,
  recordContent: withContent = false,
}: Pick<ServeOptions, 'record' | 'recordContent'>) {
  if (record === '') throw new UsageError('--record names no folder', 'add a folder: --record <folder>');
  if (record !== undefined) return { folder: resolve(workingDirectory(), record), withContent };
  if (withContent)
    throw new UsageError('--record-content needs a folder', 'add one: --record <folder> --record-content');
  return undefined;
}

/** The options of a gateway that a terminal holds open. */
export function addServeOptions(command: Command): Command {
  return addGatewayOptions(command)
    .addOption(choiceOption('--log-format <format>', 'how to log', LOG_FORMATS, 'text'))
    .option('--no-project', NO_PROJECT);
}

export function addGatewayOptions(command: Command): Command {
  const port = (text: string) => parsePort(text) ?? DEFAULT_PORT;
  // Other servers have such options. They are no part of the help, and parsed only to name the way to another machine.
  for (const flag of OF_OTHERS) command.addOption(new Option(`--${flag} [address]`).hideHelp());
  return command
    .option('--port <number>', 'port to listen on', port, DEFAULT_PORT)
    .option('--demo', 'add a provider "demo" that needs no backend')
    .option('--allow-host <name>', 'accept one more Host name (repeatable)', collect(parseHost))
    .option('--allow-origin <origin>', 'let web pages of an origin call the gateway (repeatable)', collect(parseOrigin))
    .option('--api-key-env <name>', 'demand the key in this variable as "Authorization: Bearer <key>"', parseVariable)
    .option('--upstream-status', 'answer a failed chat with the status of its failure instead of 502')
    .option('--metrics', 'serve GET /metrics for Prometheus')
    .addOption(choiceOption('--log-level <level>', 'what to log', LOG_LEVELS, 'info'))
    .option('--watch', 'reload when a file of the configuration, or a plug-in, has changed')
    .option('--record <folder>', 'write each finished request to a file there: stages, attempts, cost')
    .option('--record-content', 'with --record: include prompts, answers and failure messages')
    .hook('preAction', refuseAddress);
}

/** With the port that the other words of the command have chosen. */
function refuseAddress(command: Command): void {
  const flag = OF_OTHERS.find((each) => command.getOptionValueSource(each) === 'cli');
  if (flag === undefined) return;
  const port = command.getOptionValue('port') as number;
  throw new UsageError(
    `there is no --${flag}: the gateway listens on 127.0.0.1 only`,
    `for other machines: a reverse proxy in front of it, see drivebay docs scaling; for one: ssh -L ${port}:127.0.0.1:${port} <this machine>`,
  );
}

function parseHost(text: string): string {
  if (!/^[a-z0-9]([a-z0-9.-]*[a-z0-9])?$/i.test(text)) {
    throw new InvalidArgumentError('Expected a host name without scheme and port, for example llm.internal.');
  }
  return text.toLowerCase();
}

function parseOrigin(text: string): string {
  if (!/^[a-z][a-z0-9+.-]*:\/\/[a-z0-9._-]+(:\d+)?$/i.test(text)) {
    throw new InvalidArgumentError(
      'Expected one origin, for example http://localhost:3000 or chrome-extension://abc; there is no wildcard.',
    );
  }
  return text;
}
