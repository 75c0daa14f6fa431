import { useState } from 'preact/hooks';
import type { ProcessState } from '../../../record/process-view';
import type { DashboardState } from '../../protocol';
import { formatCount } from '../format';
import { Choice } from '../parts/choice';
import { Empty, Panel } from '../parts/panel';
import { NoProcess, ProcessTable } from '../parts/process-table';

const STATES: [ProcessState | '', string][] = [
  ['', 'all'],
  ['created', 'waiting'],
  ['running', 'running'],
  ['done', 'done'],
  ['failed', 'failed'],
  ['killed', 'killed'],
];

export function Processes({ state: { processes, processCount } }: { state: DashboardState }) {
  const [only, setOnly] = useState('');
  const [text, setText] = useState('');
  const wanted = text.toLowerCase();
  const shown = processes.filter(
    ({ state, pid, intent, provider = '', model = '', project = '', name = '' }) =>
      (only === '' || state === only) &&
      (wanted === '' || `${pid} ${intent} ${provider} ${model} ${project} ${name}`.toLowerCase().includes(wanted)),
  );
  return (
    <>
      <div class="view-head">
        <h1>Processes</h1>
        <div class="filters">
          <Choice label="State" value={only} options={STATES} onChange={setOnly} />
          <label>
            Find
            <input type="search" value={text} onInput={({ currentTarget }) => setText(currentTarget.value)} />
          </label>
        </div>
        <span class="muted" role="status">
          {formatCount(shown.length)} of {formatCount(processCount)}
        </span>
      </div>
      <Panel title="Newest first">
        {processes.length === 0 ? (
          <NoProcess />
        ) : shown.length === 0 ? (
          <Empty command="drivebay ps -a">No process in this list matches. To see older ones, run</Empty>
        ) : (
          <ProcessTable label="Processes" processes={shown} />
        )}
      </Panel>
    </>
  );
}
