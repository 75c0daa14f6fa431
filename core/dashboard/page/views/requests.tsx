import type { DashboardState, TurnsAnswer } from '../../protocol';
import { formatCount } from '../format';
import { Empty, Panel } from '../parts/panel';
import { RequestTable } from '../parts/request-table';
import { TurnTable } from '../parts/turn-table';
import { useLedger } from '../use-ledger';

/** The requests at the gateways, all running ones and the latest ended ones, and everything of today. */
export function Requests({ state: { requests } }: { state: DashboardState }) {
  const live = requests.filter(({ end }) => !end);
  const ended = requests.filter(({ end }) => end);
  const { answer: { turns, count } = {} } = useLedger<TurnsAnswer>('turns');
  return (
    <>
      <h1 class="sr">Requests</h1>
      <Panel title="Running" aside={formatCount(live.length)}>
        {live.length === 0 ? (
          <Empty>No client waits for an answer.</Empty>
        ) : (
          <RequestTable label="Running requests" requests={live} />
        )}
      </Panel>
      <Panel title="Ended" aside={ended.length > 0 ? `the latest ${formatCount(ended.length)}` : undefined}>
        {ended.length === 0 ? (
          <Empty command="drivebay serve">
            The gateway has had no request since the daemon started. To open a gateway, run
          </Empty>
        ) : (
          <RequestTable label="Ended requests" requests={ended} />
        )}
      </Panel>
      <Panel title="Today, with the steps of agents" aside={count && formatCount(count)}>
        {!turns?.length ? (
          <Empty>{turns ? 'No request has ended today.' : 'Reading the ledger ...'}</Empty>
        ) : (
          <TurnTable label="Requests of today" turns={turns} />
        )}
      </Panel>
    </>
  );
}
