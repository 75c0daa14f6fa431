import { kindOf, targetOf } from '../../config/mcp/describe-server';
import { mcpFilesOf } from '../../config/mcp/find-mcp-files';
import { loadMcp } from '../../config/mcp/load-mcp';
import type { ServerEntry } from '../../config/mcp/mcp-file';
import type { ServerReport } from '../../devices/report-servers';
import type { ServerActivity } from '../../devices/tool-server';
import { ConfigError } from '../../errors';
import type { CommonFlags } from '../command-options';
import { askIfRunning } from '../daemon/running-daemon';
import { pathsHere } from '../here';
import { countOf } from '../terminal/format';
import { formatTable, printNote, printReport, printWarnings } from '../terminal/print';

type State = 'configured' | 'untrusted' | 'disabled';

const STATES: Record<State, string> = {
  configured: 'configured',
  untrusted: 'waits for drivebay trust',
  disabled: 'disabled',
};

/** `mcp list`: the tool servers of both files. Starts nothing; a daemon that runs says what they do now. */
export async function mcpList({ json, project: useProject }: CommonFlags): Promise<void> {
  const paths = pathsHere();
  const { servers, held, disabled, problems, warnings } = loadMcp(paths, useProject);
  if (problems.length > 0) throw new ConfigError(problems, warnings);
  printWarnings(warnings);
  const ask = () => askIfRunning<{ servers: ServerReport[] }>('/v1/tool-servers', 'what they do now');
  const now = servers.length > 0 ? await ask() : undefined;
  const activityOf = ({ name, place: { file } }: ServerEntry) =>
    now?.servers.find((each) => each.name === name && each.file === file && each.activity)?.activity;
  const all = [
    ...servers.map((entry) => describe(entry, 'configured', activityOf(entry))),
    ...held.map((entry) => describe(entry, 'untrusted')),
    ...disabled.map((entry) => describe(entry, 'disabled')),
  ];
  printReport(json, { servers: all }, () =>
    formatTable(
      ['Server', 'Kind', 'State', 'Target', 'File'],
      all.map(({ name, kind, state, now, target, file }) => [
        name,
        kind,
        now ? words(now) : STATES[state],
        target,
        file,
      ]),
    ),
  );
  if (all.length === 0 && !json)
    printNote(
      `no tool server is configured in ${mcpFilesOf(paths, useProject).join(' or ')}; see: drivebay mcp add --help`,
    );
}

function describe({ name, values, place, isOfProject }: ServerEntry, state: State, now: ServerActivity | null = null) {
  return { name, kind: kindOf(values), state, now, target: targetOf(values), file: place.file, ofProject: isOfProject };
}

function words({ running, users, tools, fault }: ServerActivity): string {
  if (fault !== null) return `failed: ${fault}`;
  if (running === 0) return 'not started';
  const known = tools === null ? [] : [countOf(tools, 'tool')];
  return ['running', ...known, `${users} in use`].join(', ');
}
