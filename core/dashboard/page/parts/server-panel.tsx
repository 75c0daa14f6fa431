import type { ServerReport } from '../../../devices/report-servers';
import { isText } from '../../../record/process-event';
import type { LiveEvent } from '../../../record/live-event';
import { formatCount, NOTHING } from '../format';
import { useLedger } from '../use-ledger';
import { Command } from './command';
import { Mark, type Tone } from './mark';
import { Panel } from './panel';
import { TableHead } from './table-head';

/** Agents start and end servers; a reload brings others. */
function isNews({ kind, event }: LiveEvent): boolean {
  return (kind === 'process' && !isText(event)) || kind === 'daemon';
}

const HEADS = ['Server', 'Status', 'Tools', 'In use by', 'How it is reached'];

/** The tool servers of mcp.json: what they do now, and what is wrong with them. Without any of them there is no panel. */
export function ServerPanel() {
  const { answer } = useLedger<{ servers: ServerReport[] }>('tool-servers', isNews);
  if (!answer || answer.servers.length === 0) return null;
  return (
    <Panel class="wide" title="Tool servers">
      <table class="providers" aria-label="Tool servers">
        <TableHead heads={HEADS} numbers={HEADS.slice(2, 4)} />
        {answer.servers.map((server) => (
          <ServerRow key={`${server.projects[0]} ${server.file} ${server.name}`} {...server} />
        ))}
      </table>
    </Panel>
  );
}

function ServerRow({ name, projects, target, file, activity }: ServerReport) {
  const [tone, word] = stateOf(activity);
  const why = activity ? (
    activity.fault
  ) : (
    <>
      To use it, look at its file, then run <Command>drivebay trust</Command> in the folder of the project
    </>
  );
  const places = file === null ? projects.filter((root) => root !== null) : [file];
  return (
    <tbody>
      <tr>
        <td class="wrap" data-label="Server">
          <span class="name">{name}</span>
          {places.map((place) => (
            <small key={place}>{place}</small>
          ))}
        </td>
        <td data-label="Status">
          <Mark tone={tone}>{word}</Mark>
        </td>
        <td class="number" data-label="Tools">
          {activity?.tools == null ? NOTHING : formatCount(activity.tools)}
        </td>
        <td class="number" data-label="In use by">
          {activity ? formatCount(activity.users) : NOTHING}
        </td>
        <td class="wrap" data-label="How it is reached">
          {target ?? NOTHING}
        </td>
      </tr>
      {why && (
        <tr class="why">
          <td colSpan={HEADS.length}>
            <div class="why-text">{why}</div>
          </td>
        </tr>
      )}
    </tbody>
  );
}

function stateOf(activity: ServerReport['activity']): [Tone, string] {
  if (!activity) return ['wait', 'waits for trust'];
  if (activity.fault !== null) return ['bad', 'failed'];
  return activity.running > 0 ? ['ok', 'running'] : ['none', 'not started'];
}
