import { useState } from 'preact/hooks';
import type { ProcessState } from '../../../record/process-view';
import type { DashboardState } from '../../protocol';
import { formatCount } from '../format';
import { Empty } from '../parts/empty';
import { Panel } from '../parts/panel';
import { ProcessTable } from '../parts/process-table';

const STATES: ProcessState[] = ['created', 'running', 'done', 'failed', 'killed'];

/** All that are known, with a filter by state and by text. */
export function Processes({ state: { processes, processCount } }: { state: DashboardState }) {
  const [only, setOnly] = useState('');
  const [text, setText] = useState('');
  const wanted = text.toLowerCase();
  const shown = processes.filter(
    ({ state, pid, intent, provider = '', model = '', project = '', name = '' }) =>
      (only === '' || state === only) &&
      (wanted === '' || `${pid} ${intent} ${provider} ${model} ${project} ${name}`.toLowerCase().includes(wanted)),
  );
  const count = `${formatCount(shown.length)} of ${formatCount(processCount)}`;
  return (
    <>
      <div class="process-title">
        <h1>Processes</h1>
        <div class="filters">
          <label>
            State
            <select value={only} onChange={({ currentTarget }) => setOnly(currentTarget.value)}>
              <option value="">all</option>
              {STATES.map((state) => (
                <option key={state} value={state}>
                  {state === 'created' ? 'waiting' : state}
                </option>
              ))}
            </select>
          </label>
          <label>
            Find
            <input type="search" value={text} onInput={({ currentTarget }) => setText(currentTarget.value)} />
          </label>
        </div>
        <span class="aside" role="status">
          {count}
        </span>
      </div>
      <Panel title="Newest first">
        {processes.length === 0 ? (
          <Empty command={'drivebay "Name three uses of a paper clip"'}>No agent has worked yet. Try</Empty>
        ) : shown.length === 0 ? (
          <Empty command="drivebay ps -a">None of them matches. Older ones:</Empty>
        ) : (
          <ProcessTable label="Processes" processes={shown} />
        )}
      </Panel>
    </>
  );
}
