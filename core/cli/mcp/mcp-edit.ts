import { documentOf } from '../../config/document';
import { configAt, type ConfigSource, withWayOut } from '../../config/find-config';
import { suggestName } from '../../config/did-you-mean';
import { editMcp } from '../../config/mcp/edit-mcp';
import { findMcpFiles } from '../../config/mcp/find-mcp-files';
import { loadMcp } from '../../config/mcp/load-mcp';
import { readMcpFile } from '../../config/mcp/mcp-file';
import { writtenKeys } from '../../config/mcp/written-keys';
import { TrustStore } from '../../config/trust-store';
import { nameOrHidden } from '../../contract/secrets';
import { ConfigError, HintedError, UsageError } from '../../errors';
import { defined } from '../../fields';
import { type Paths } from '../../paths';
import { replaceConfig } from '../config/replace-config';
import { reloadRunning } from '../daemon/reload';
import { pathsHere } from '../here';
import { parseName } from '../command-options';
import { shellWords } from '../../shell-words';
import { openProjectHere } from '../open-project';
import { printAnswer, printJson, printNote, printWarnings } from '../terminal/print';
import { untilInterrupted } from '../terminal/signals';
import { checkServer, chooseServer, formatCheck } from './mcp-check';

interface EditOptions {
  project?: boolean;
  json?: boolean;
}

interface AddOptions extends EditOptions {
  url?: string;
  type?: string;
  env?: string[];
  header?: string[];
}

/** `mcp add`: adds a tool server, and starts it once. The exit code does not depend on whether that works. */
export async function mcpAdd(name: string, words: string[], given: AddOptions): Promise<void> {
  const { url, type, env, header, json } = given;
  const [command, ...args] = words;
  parseName('the name of a tool server')(name);
  if ((command === undefined) === (url === undefined)) {
    throw new UsageError('a tool server has a command or a --url', `${mcpCommand('add', name)} -- npx -y some-server`);
  }
  const own = readOwn(given);
  if (own.names.includes(name)) {
    throw new UsageError(
      `there is a tool server "${name}" already in ${own.source.file}`,
      `to replace it, first: ${mcpCommand('remove', name, ...(given.project ? ['--project'] : []))}`,
    );
  }
  const entry = defined({
    type: type || undefined,
    command,
    args: args.length > 0 ? args : undefined,
    url,
    env: pairs(env, '=', '--env NAME=VALUE'),
    headers: pairs(header, ':', '--header NAME:VALUE'),
  });
  // A mistake elsewhere would keep the server from being started, and gateways from reading the file.
  await openWhole(own.source.file);
  const found = await write(own, (servers) => ({ ...servers, [name]: entry }), json);
  sayKeys(found.get(name) ?? [], own.source.file);
  const { project } = openProjectHere({ useProject: true });
  try {
    const server = chooseServer(project.toolServers, name, project.heldServers);
    if (process.stderr.isTTY) printNote(`starting ${name} ...`);
    const check = await untilInterrupted(checkServer(server));
    if (json) printJson({ file: own.source.file, name, ok: check.ok, tools: check.tools.map((tool) => tool.name) });
    else printAnswer(formatCheck(check));
    if (!check.ok) printNote(`the entry stays as it is written; to start it again: ${mcpCommand('check', name)}`);
  } catch (error) {
    // The project's file was not trusted before, so that its other servers are not trusted now.
    if (!(error instanceof UsageError)) throw error;
    printNote(`${error.message}; ${error.hint ?? ''}`);
  } finally {
    await project.close();
  }
}

/** `mcp remove`: removes a tool server from one of the files. */
export async function mcpRemove(name: string, options: EditOptions): Promise<void> {
  const own = readOwn(options);
  if (!own.names.includes(name)) {
    const all = own.names.length > 0 ? `servers: ${own.names.join(', ')}` : 'the file has none';
    throw new UsageError(
      `there is no tool server ${nameOrHidden(name)} in ${own.source.file}`,
      suggestName(name, own.names, all),
    );
  }
  const without = (servers: Record<string, unknown>) =>
    Object.fromEntries(Object.entries(servers).filter(([each]) => each !== name));
  await write(own, without, options.json);
  if (options.json) printJson({ file: own.source.file, name, removed: true });
}

function mcpCommand(...words: string[]): string {
  return shellWords(['drivebay', 'mcp', ...words]);
}

async function openWhole(file: string): Promise<void> {
  try {
    await openProjectHere({ useProject: true }).project.close();
  } catch (error) {
    if (error instanceof ConfigError) printNote(`nothing was written to ${file}`);
    throw error;
  }
}

interface Own {
  paths: Paths;
  source: ConfigSource;
  names: string[];
  /** Whether its servers may start with its current content. */
  isTrusted: boolean;
}

/** The file that is edited. It need not exist. */
function readOwn({ project: ofProject = false }: EditOptions): Own {
  const paths = pathsHere();
  const places = findMcpFiles(paths);
  const file = ofProject ? places.project : places.global;
  if (file === undefined)
    throw new UsageError('there is no project here', 'make the folder a project: mkdir .drivebay');
  const source = ofProject ? configAt(file) : withWayOut(configAt(file));
  const { problems } = readMcpFile(source, ofProject);
  if (problems.length > 0) throw new ConfigError(problems);
  const { root, exists, text = '' } = source.document;
  const list = root?.kind === 'map' ? root.entries.get('mcpServers') : undefined;
  const names = list?.kind === 'map' ? [...list.entries.keys()] : [];
  const isTrusted = names.length === 0 || new TrustStore(paths.state).has('trusted', { file, text });
  return { paths, source, names, isTrusted: ofProject && (!exists || isTrusted) };
}

/** Returns the places of keys that the file now has, by server. Then only the user can read it. */
async function write(
  { paths, source, isTrusted }: Own,
  edit: (servers: Record<string, unknown>) => Record<string, unknown>,
  json = false,
): Promise<Map<string, string[]>> {
  const { file, document: read } = source;
  const text = editMcp(read.text, edit);
  if (text === undefined)
    throw new HintedError(
      `nothing was written: ${file} is not plain JSON`,
      'edit the file yourself: comments would be lost',
    );
  const { problems, warnings } = loadMcp(paths, true, { file, document: documentOf(file, text) });
  if (problems.length > 0) {
    printNote(`nothing was written: ${file} would have mistakes`);
    throw new ConfigError(problems);
  }
  printWarnings(warnings);
  const { servers } = readMcpFile({ file, document: documentOf(file, text) }, false);
  const keys = new Map(servers.map(({ name, values }) => [name, writtenKeys(values)]));
  const isSecret = [...keys.values()].some((places) => places.length > 0);
  await replaceConfig(source, text, isSecret);
  const problem = isTrusted ? new TrustStore(paths.state).add('trusted', { file, text }) : undefined;
  if (problem) throw new HintedError(problem.message, problem.hint);
  if (!json) printAnswer(`written: ${file}`);
  await reloadRunning(warnings);
  return keys;
}

function sayKeys(places: readonly string[], file: string): void {
  if (places.length === 0) return;
  printNote(`warning: a key now stands in ${file}: ${places.join(', ')}`);
  printNote("  better: put it into a variable of your environment, and write '${NAME}' in its place");
}

function pairs(texts: string[] | undefined, separator: string, form: string): Record<string, string> | undefined {
  if (texts === undefined) return undefined;
  return Object.fromEntries(
    texts.map((text) => {
      const at = text.indexOf(separator);
      if (at <= 0) throw new UsageError(`expected ${form}`);
      return [text.slice(0, at).trim(), separator === ':' ? text.slice(at + 1).trim() : text.slice(at + 1)];
    }),
  );
}
