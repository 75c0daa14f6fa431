import type { Position, Problem } from '../../errors';
import { explainRoot, formatPath, isPresentable, quote } from '../describe-found';
import type { ConfigSource } from '../find-config';
import { type Located, type LocatedMap, nodeAt, placeOf } from '../located';
import { validate } from '../problems';
import { findBadVariable } from './fill-variables';
import { mcpFileSchema, SERVER_NAME, serverSchema, type ServerValues } from './mcp-schema';

/** A tool server of a file, without mistakes. */
export interface ServerEntry {
  name: string;
  values: ServerValues;
  place: Position;
  /** Whether the project's file has it: then it may read the project's keys, once it is trusted. */
  isOfProject: boolean;
}

export interface McpFile {
  source: ConfigSource;
  servers: ServerEntry[];
  problems: Problem[];
  warnings: Problem[];
}

export function readMcpFile(source: ConfigSource, isOfProject: boolean): McpFile {
  const { root, problems } = source.document;
  const read: McpFile = { source, servers: [], problems: [...problems], warnings: [] };
  if (root?.kind !== 'map') {
    if (root) read.problems.push(explainRoot(root, 'mcpServers'));
    return read;
  }
  const { problems: mistakes, warnings } = validate(mcpFileSchema, root, '');
  read.problems.push(...mistakes);
  read.warnings.push(...warnings);
  const list = root.entries.get('mcpServers');
  if (list?.kind === 'map') for (const [name, fields] of list.entries) readServer(read, name, fields, isOfProject);
  return read;
}

function readServer(read: McpFile, name: string, fields: Located, isOfProject: boolean): void {
  const path = formatPath('mcpServers', [name]);
  const place = fields.keyPlace ?? fields.place;
  if (!SERVER_NAME.test(name)) {
    const shown = isPresentable(name) ? quote(name) : 'a name (not shown)';
    const message = `mcpServers: found ${shown}, expected a name of 1 to 100 characters without "/"`;
    return void read.problems.push({ message, place });
  }
  const { value, problems, warnings } = validate(serverSchema, fields, path);
  read.problems.push(...problems);
  read.warnings.push(...warnings);
  if (!value || fields.kind !== 'map') return;
  const mistakes = mistakesOf(value, fields, path);
  read.problems.push(...mistakes);
  read.warnings.push(...uselessKeys(value, fields, path));
  if (mistakes.length === 0) read.servers.push({ name, values: value, place, isOfProject });
}

function mistakesOf(values: ServerValues, fields: LocatedMap, path: string): Problem[] {
  const { command, url, type } = values;
  const at = (key: string) => placeOf(fields, [key]);
  const problems: Problem[] = [];
  if (command === undefined && url === undefined) {
    problems.push({ message: `${path}: found neither command nor url, expected one of them`, place: fields.place });
  } else if (command !== undefined && url !== undefined) {
    problems.push({ message: `${path}: found command and url, expected one of them`, place: at('url') });
  } else if (type !== undefined && (type === 'stdio') !== (command !== undefined)) {
    const needed = type === 'stdio' ? 'command' : 'url';
    problems.push({ message: `${path}.type: a server of type ${type} needs ${needed}`, place: at('type') });
  }
  if (url !== undefined && !url.includes('${') && !isHttp(url)) {
    problems.push({ message: `${path}.url: expected an http(s) URL`, place: at('url') });
  }
  for (const key of ['sampling_route', 'sampling_budget_usd'] as const) {
    if (!values.sampling || values[key] !== undefined) continue;
    const message = `${path}.sampling: found true, expected ${key} beside it`;
    problems.push({ message, place: at('sampling'), hint: 'see: drivebay docs mcp' });
  }
  for (const [key, text] of textsIn(values)) {
    const bad = findBadVariable(text);
    if (bad === undefined) continue;
    const message = `${formatPath(path, key)}: found ${bad}, expected \${NAME} or \${NAME:-default}`;
    problems.push({ message, place: placeOf(fields, key) });
  }
  return problems;
}

export function isHttp(url: string): boolean {
  return URL.canParse(url) && /^https?:$/.test(new URL(url).protocol);
}

/** Every text of an entry in which variables are replaced, with its path. */
function textsIn({ command, args = [], env = {}, cwd, url, headers = {} }: ServerValues): [PropertyKey[], string][] {
  const named = (key: string, texts: Record<string, string>) =>
    Object.entries(texts).map(([name, text]): [PropertyKey[], string] => [[key, name], text]);
  const single = Object.entries({ command, cwd, url }).flatMap(([key, text]): [PropertyKey[], string][] =>
    text === undefined ? [] : [[[key], text]],
  );
  const listed = args.map((text, index): [PropertyKey[], string] => [['args', index], text]);
  return [...single, ...listed, ...named('env', env), ...named('headers', headers)];
}

function uselessKeys({ command, sampling }: ServerValues, fields: LocatedMap, path: string): Problem[] {
  const useless = command === undefined ? ['args', 'env', 'cwd'] : ['headers'];
  const kind = command === undefined ? 'a server with a url' : 'a server with a command';
  const ofSampling = sampling ? [] : ['sampling_route', 'sampling_budget_usd'];
  return [...useless, ...ofSampling]
    .filter((key) => nodeAt(fields, [key]))
    .map((key) => ({
      message: `${path}.${key}: has no effect on ${ofSampling.includes(key) ? 'a server without sampling: true' : kind}`,
      place: nodeAt(fields, [key])?.keyPlace ?? fields.place,
    }));
}
