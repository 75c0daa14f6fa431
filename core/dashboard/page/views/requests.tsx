import type { DashboardState } from '../../protocol';
import { formatCount } from '../format';
import { Empty, Panel } from '../parts/panel';
import { RequestTable } from '../parts/request-table';

/** The chats at the gateways: all running ones and the latest ended ones. */
export function Requests({ state: { requests } }: { state: DashboardState }) {
  const live = requests.filter(({ end }) => !end);
  const ended = requests.filter(({ end }) => end);
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
    </>
  );
}
