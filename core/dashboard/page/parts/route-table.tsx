import type { ProviderRow } from '../../protocol';
import { formatCount, modelName, NOTHING } from '../format';
import { HealthMark } from './mark';
import { Rests } from './rest';
import { TableHead } from './table-head';

const BEST = ['healthy', 'unchecked', 'offline'] as const;

interface RouteTableProps {
  routes: ProviderRow[];
  /** The rows that the targets are looked for in: those of every project. */
  rows: readonly ProviderRow[];
}

/** Each route with its targets: their health, how often each of them has answered, and until when it rests. */
export function RouteTable({ routes, rows }: RouteTableProps) {
  return (
    <table class="providers routes" aria-label="Routes">
      <TableHead heads={['Route', 'Target', 'Status', 'Answered', 'Rest']} numbers={['Answered']} />
      {routes.map((row) => (
        <RouteRows key={`${row.project} ${row.name}`} row={row} rows={rows} />
      ))}
    </table>
  );
}

function RouteRows({ row, rows }: { row: ProviderRow; rows: readonly ProviderRow[] }) {
  const { name, files, answers = {}, route, project } = row;
  const { order, targets } = route!;
  return (
    <tbody>
      {targets.map((target, index) => {
        const found = rows.find((each) => each.name === target.name && each.project === project);
        const weight = order === 'spread' && target.weight > 1 ? ` × ${target.weight}` : '';
        return (
          <tr key={index}>
            {index > 0 ? (
              <td />
            ) : (
              <td class="wrap" data-label="Route">
                <span class="name">{name}</span>
                <small>{order === 'spread' ? 'in turn' : 'the first that can'}</small>
                {files.map((file) => (
                  <small key={file}>{file}</small>
                ))}
              </td>
            )}
            <td class="wrap" data-label="Target">
              {modelName(target.name, target.model)}
              {weight}
            </td>
            <td data-label="Status">{found ? <HealthMark state={routeHealth(found, rows)} /> : NOTHING}</td>
            <td class="number" data-label="Answered">
              {found?.route ? NOTHING : formatCount(answers[target.name] ?? 0)}
            </td>
            <td class="wrap" data-label="Rest">
              {found && !found.route && (
                <Rests name={found.name} rests={found.rests} model={target.model ?? found.model} />
              )}
            </td>
          </tr>
        );
      })}
    </tbody>
  );
}

/** The health of a provider, or of the best target of a route: no event tells that of routes. */
function routeHealth(row: ProviderRow, rows: readonly ProviderRow[]): ProviderRow['status'] {
  if (!row.route) return row.status;
  const targets = row.route.targets.flatMap(({ name }) =>
    rows.filter((each) => each.name === name && each.project === row.project),
  );
  const all = targets.map((target) => routeHealth(target, rows));
  return BEST.find((status) => all.includes(status)) ?? row.status;
}
