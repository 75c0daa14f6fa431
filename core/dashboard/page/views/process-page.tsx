import type { ProcessView } from '../../../record/process-view';
import { formatClock, formatLength } from '../format';
import { Facts, Metadata } from '../parts/facts';
import { Kill } from '../parts/kill';
import { ProcessMark } from '../parts/mark';
import { Empty, Panel } from '../parts/panel';
import { StepTable } from '../parts/step-table';
import { TextView } from '../parts/text-view';
import { Trace } from '../parts/trace';
import type { ProcessDetail } from '../process-detail';
import { useProcess } from '../use-process';
import { ProblemPage } from './problem-page';

export function ProcessPage({ pid }: { pid: number }) {
  const { answer, error } = useProcess(pid);
  if (error) return <ProblemPage message={error.message} hint={error.hint} />;
  if (!answer) return <p class="loading">Loading process {pid} ...</p>;
  return <Detail detail={answer} />;
}

function Detail({ detail }: { detail: ProcessDetail }) {
  const { view, answer, reasoning, trace } = detail;
  const isLive = view.end === undefined;
  return (
    <>
      <div class="process-head">
        <div class="view-head">
          <h1>
            <a href="#/processes">Processes</a> / {view.pid}
          </h1>
          <ProcessMark state={view.state} />
          <span class="actions">{isLive && <Kill pid={view.pid} />}</span>
        </div>
        <Outcome view={view} />
        {detail.fallbacks.map(({ from, to, reason, seq, time }) => (
          <p class="note note-warn" key={seq}>
            <strong>
              Fallback: {from} → {to}
            </strong>{' '}
            at {formatClock(time)}. {reason}
          </p>
        ))}
        {detail.notices.map(({ level, message, seq }) => (
          <p class={`note ${level === 'warn' ? 'note-warn' : ''}`} key={seq}>
            {message}
          </p>
        ))}
      </div>
      <div class="columns">
        <div class="column">
          <Panel title="Intent">
            <TextView text={detail.intent} live={false} />
          </Panel>
          <Panel title="Answer" aside={answer.length > 0 ? formatLength(answer.length) : undefined} class="answer">
            {answer.length > 0 ? (
              <TextView text={answer} live={isLive} />
            ) : (
              <Empty>{isLive ? 'There is no text yet.' : 'The process ended without an answer.'}</Empty>
            )}
          </Panel>
          {reasoning.length > 0 && (
            <Panel title="Reasoning">
              <TextView text={reasoning} class="muted" live={false} />
            </Panel>
          )}
        </div>
        <div class="column">
          <Facts view={view} />
          <Metadata view={view} />
        </div>
      </div>
      <StepTable view={view} />
      <Trace rows={trace} size={trace.length} live={isLive} />
    </>
  );
}

function Outcome({ view: { end } }: { view: ProcessView }) {
  if (!end || end.state === 'done') return null;
  return (
    <p class={`note ${end.state === 'failed' ? 'note-bad' : ''}`}>
      <strong>{end.message ?? `The process was ended: ${end.reason}.`}</strong>
      {end.hint !== undefined && <> {end.hint}</>}
      {end.code !== undefined && <small> {end.code}</small>}
    </p>
  );
}
