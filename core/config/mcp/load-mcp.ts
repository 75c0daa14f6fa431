import type { Problem } from '../../errors';
import type { Paths } from '../../paths';
import { configAt, type ConfigSource, withWayOut } from '../find-config';
import { statRegularFile } from '../small-file';
import { HOW_TO_TRUST, TrustStore } from '../trust-store';
import { findMcpFiles, type McpPaths } from './find-mcp-files';
import { type McpFile, readMcpFile, type ServerEntry } from './mcp-file';

interface LoadedMcp {
  /** Those that may be used; an entry of the project stands in for one of the user that has its name. */
  servers: ServerEntry[];
  /** Those of the project that wait for `drivebay trust`. */
  held: ServerEntry[];
  /** Those that their entries switch off. */
  disabled: ServerEntry[];
  problems: Problem[];
  warnings: Problem[];
  notices: Problem[];
}

/**
 * Reads both files. The servers of a project's file run programs or take the user's keys, so they always wait until the user
 * trusts the file with its current content. `edited`: a text that one of the files is going to have.
 */
export function loadMcp(paths: McpPaths & Pick<Paths, 'state'>, useProject: boolean, edited?: ConfigSource): LoadedMcp {
  const places = findMcpFiles(paths);
  const read = (file: string | undefined, isOfProject: boolean): McpFile | undefined => {
    if (file === undefined) return undefined;
    if (edited?.file === file) return readMcpFile(edited, isOfProject);
    if (statRegularFile(file).state === 'absent') return undefined;
    const source = configAt(file);
    return readMcpFile(isOfProject ? source : withWayOut(source), isOfProject);
  };
  const global = read(places.global, false);
  const project = useProject ? read(places.project, true) : undefined;
  const files = [global, project].filter((file) => file !== undefined);
  const mine = project?.servers ?? [];
  const isTrusted = mine.length === 0 || isTrustedFile(project!, paths.state);
  const used = new Map([...(global?.servers ?? []), ...(isTrusted ? mine : [])].map((entry) => [entry.name, entry]));
  const isOn = ({ values }: ServerEntry) => !values.disabled;
  const held = isTrusted ? [] : mine.filter(isOn);
  const all = [...used.values()];
  return {
    servers: all.filter(isOn),
    held,
    disabled: all.filter((entry) => !isOn(entry)),
    problems: files.flatMap(({ problems }) => problems),
    warnings: files.flatMap(({ warnings }) => warnings),
    notices: held.map(explainHeld),
  };
}

function isTrustedFile({ source: { file, document } }: McpFile, state: string): boolean {
  return new TrustStore(state).has('trusted', { file, text: document.text ?? '' });
}

function explainHeld({ name, place }: ServerEntry): Problem {
  return {
    message: `tool server "${name}" of this project is not used: its file is not trusted yet`,
    place,
    hint: HOW_TO_TRUST,
  };
}
