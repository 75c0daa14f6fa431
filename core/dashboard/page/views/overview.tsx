import type { ComponentChildren } from 'preact';
import { addTotals, NO_TURNS } from '../../../record/usage';
import type { DashboardState, ProviderRow } from '../../protocol';
import { curlFor } from '../curl';
import { formatCost, formatCount, formatTokens } from '../format';
import { groupProviders } from '../group-providers';
import { Empty, Panel } from '../parts/panel';
import { NoProcess, ProcessTable } from '../parts/process-table';
import { ProviderTable } from '../parts/provider-table';
import { RequestTable } from '../parts/request-table';
import { RouteTable } from '../parts/route-table';
import { ServerPanel } from '../parts/server-panel';

/** The number of ended rows in each list. Running rows are always shown. */
const SHOWN = 10;

export function Overview({ state }: { state: DashboardState }) {
  const { requests, processes, processCount } = state;
  const all = groupProviders(state.providers);
  const providers = all.filter(({ route }) => !route);
  const routes = all.filter(({ route }) => route);
  const live = requests.filter(({ end }) => !end);
  const working = processes.filter(({ end }) => !end);
  const latest = <Row extends { end?: unknown }>(rows: Row[]) => rows.filter(({ end }, index) => !end || index < SHOWN);
  return (
    <>
      <h1 class="sr">Overview</h1>
      <Figures providers={providers} live={live.length} working={working.length} />
      <Panel class="wide" title="Providers" aside="since the daemon started">
        {providers.length === 0 ? (
          <Empty command="drivebay init">No provider is configured. To find the backends of this machine, run</Empty>
        ) : (
          <ProviderTable providers={providers} />
        )}
        {providers.length > 0 && providers.every(({ files }) => files.length === 0) && (
          <Empty command="drivebay init">There is no configuration. To find the backends of this machine, run</Empty>
        )}
      </Panel>
      {routes.length > 0 && (
        <Panel class="wide" title="Routes" aside="since the daemon started">
          <RouteTable routes={routes} rows={state.providers} />
        </Panel>
      )}
      <ServerPanel />
      <Panel title="Requests" aside={<a href="#/requests">all of today</a>}>
        {requests.length === 0 ? (
          <Empty command={firstRequest(state)}>The gateway has had no request yet. Try</Empty>
        ) : (
          <RequestTable label="Requests" requests={latest(requests)} />
        )}
      </Panel>
      <Panel title="Processes" aside={<a href="#/processes">all {formatCount(processCount)}</a>}>
        {processes.length === 0 ? <NoProcess /> : <ProcessTable label="Processes" processes={latest(processes)} />}
      </Panel>
    </>
  );
}

function Figures({ providers, live, working }: { providers: ProviderRow[]; live: number; working: number }) {
  const offline = providers.filter(({ status }) => status === 'offline').length;
  const today = providers.map((provider) => provider.today).reduce(addTotals, NO_TURNS);
  const figures: [label: string, value: ComponentChildren, note?: string][] = [
    ['Providers', formatCount(providers.length), offline > 0 ? `${offline} offline` : ''],
    ['Requests now', formatCount(live)],
    ['Processes now', formatCount(working)],
    [
      'Requests today',
      <a href="#/requests">{formatCount(today.turns)}</a>,
      today.failed > 0 ? `${formatCount(today.failed)} failed` : '',
    ],
    ['Tokens today, in / out', `${formatTokens(today.inputTokens)} / ${formatTokens(today.outputTokens)}`],
    ['Cost today', formatCost(today.costUsd), today.nominalUsd > 0 ? formatCost(0, today.nominalUsd) : ''],
  ];
  return (
    <dl class="metrics wide">
      {figures.map(([label, value, note]) => (
        <div class="metric" key={label}>
          <dt>{label}</dt>
          <dd>
            {value}
            {note !== undefined && <small>{note}</small>}
          </dd>
        </div>
      ))}
    </dl>
  );
}

/** A first request. The name alone is enough only for a provider with a default model. */
function firstRequest(state: DashboardState): string {
  const usable = state.providers.filter(({ model }) => model !== null);
  const row = usable.find(({ status }) => status === 'healthy') ?? usable[0];
  const command = row && curlFor(state, { project: row.project, provider: row.name, prompt: 'Hello' });
  return command ?? 'drivebay serve';
}
