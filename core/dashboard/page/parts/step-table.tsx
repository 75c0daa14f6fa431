import { useRef } from 'preact/hooks';
import type { ProcessView, StepView } from '../../../record/process-view';
import { formatCost, formatCount, formatDuration, formatElapsed, formatShare, formatTokens, NOTHING } from '../format';
import { modelName } from '../model-name';
import { useNow } from '../use-now';
import { Empty } from './empty';
import { Panel } from './panel';
import { Rows } from './rows';

const COLUMNS = ['Step', 'Model', 'When', 'Took', 'In', 'Cached', 'Out', 'Hit rate', 'Cost', 'End'];

/** Every driver call of a process on one line of time, with its tokens and how much of the input came from a cache. */
export function StepTable({ view }: { view: ProcessView }) {
  const { steps } = view;
  const box = useRef<HTMLDivElement>(null);
  return (
    <Panel title="Steps" aside={steps.length > 0 ? formatCount(steps.length) : undefined}>
      {steps.length === 0 ? (
        <Empty>{view.end ? 'It ended before the first.' : 'It waits for a slot.'}</Empty>
      ) : (
        <div class="step-box" ref={box}>
          <Rows label="Steps" class="step-rows" columns={COLUMNS} rows={steps} keyOf={({ step }) => step} box={box}>
            {(step) => <Cells step={step} view={view} />}
          </Rows>
        </div>
      )}
    </Panel>
  );
}

function Cells({ step, view }: { step: StepView; view: ProcessView }) {
  const { usage, ms, hitRate, costUsd, call } = step;
  const now = useNow();
  const name = modelName(step.provider, step.model);
  const cached = usage?.cachedInputTokens;
  const tokens = (count: number | undefined) => (count === undefined ? NOTHING : formatTokens(count));
  return (
    <>
      <span role="cell" class="cell-step muted">
        {step.step}
      </span>
      <span
        role="cell"
        class="cell-model clip"
        title={call === undefined ? name : `${name}, for the tool call ${call}`}
      >
        {call !== undefined && '↳ '}
        {name}
      </span>
      <span role="cell" class="only-wide">
        <Span step={step} view={view} now={now} />
      </span>
      <span role="cell" class="cell-took number">
        {ms === undefined ? formatElapsed((view.endedAt ?? now) - step.startedAt) : formatDuration(ms)}
      </span>
      <span role="cell" class="only-narrow cell-tokens clip muted">
        {usage && `${tokens(usage.inputTokens)} in, ${tokens(cached)} cached, ${tokens(usage.outputTokens)} out`}
      </span>
      <span role="cell" class="only-wide number">
        {tokens(usage?.inputTokens)}
      </span>
      <span role="cell" class="only-wide number">
        {tokens(cached)}
      </span>
      <span role="cell" class="only-wide number">
        {tokens(usage?.outputTokens)}
      </span>
      <span role="cell" class="cell-rate number">
        {hitRate === undefined ? NOTHING : <Rate share={hitRate} />}
      </span>
      <span role="cell" class="only-wide number">
        {formatCost(costUsd ?? 0)}
      </span>
      <span role="cell" class="only-wide clip muted" title={step.finish}>
        {step.finish ?? (view.end ? NOTHING : 'running')}
      </span>
    </>
  );
}

function Rate({ share }: { share: number }) {
  return (
    <span class="rate" title="cached share of the input that was not just written to the cache">
      <i aria-hidden="true" style={{ '--rate': `${Math.min(100, share * 100)}%` }} />
      {formatShare(share)}
    </span>
  );
}

/** Where the step lies between the first one's start and now, or the end. */
function Span({ step, view, now }: { step: StepView; view: ProcessView; now: number }) {
  const begin = view.steps[0]!.startedAt;
  const whole = Math.max(1, (view.endedAt ?? now) - begin);
  const share = (ms: number) => `${(100 * Math.min(1, Math.max(0, ms / whole))).toFixed(2)}%`;
  const length = step.ms ?? (view.endedAt ?? now) - step.startedAt;
  return (
    <span class="span-track">
      <i
        class={step.call === undefined ? '' : 'inner'}
        style={{ left: share(step.startedAt - begin), width: share(length) }}
      />
    </span>
  );
}
