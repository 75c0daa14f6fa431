import { kindOf, targetOf } from '../../config/mcp/describe-server';
import { loadMcp } from '../../config/mcp/load-mcp';
import type { ServerEntry } from '../../config/mcp/mcp-file';
import { ConfigError } from '../../errors';
import type { CommonFlags } from '../command-options';
import { pathsHere } from '../here';
import { printNote, printReport, printWarnings } from '../terminal/print';
import { formatTable } from '../terminal/table';

type State = 'configured' | 'untrusted' | 'disabled';

const STATES: Record<State, string> = {
  configured: 'configured',
  untrusted: 'waits for drivebay trust',
  disabled: 'disabled',
};

/** `mcp list`: the tool servers of both files. Starts nothing. */
export function mcpList({ json, project: useProject }: CommonFlags): void {
  const paths = pathsHere();
  const { servers, held, disabled, problems, warnings, searched } = loadMcp(paths, useProject);
  if (problems.length > 0) throw new ConfigError(problems, warnings);
  printWarnings(warnings);
  const all = [
    ...servers.map((entry) => describe(entry, 'configured')),
    ...held.map((entry) => describe(entry, 'untrusted')),
    ...disabled.map((entry) => describe(entry, 'disabled')),
  ];
  printReport(json, { servers: all }, () =>
    formatTable(
      ['Server', 'Kind', 'State', 'Target', 'File'],
      all.map(({ name, kind, state, target, file }) => [name, kind, STATES[state], target, file]),
    ),
  );
  if (all.length === 0 && !json)
    printNote(`no tool server is configured in ${searched.join(' or ')}; see: drivebay mcp add --help`);
}

function describe({ name, values, place, isOfProject }: ServerEntry, state: State) {
  return { name, kind: kindOf(values), state, target: targetOf(values), file: place.file, ofProject: isOfProject };
}
