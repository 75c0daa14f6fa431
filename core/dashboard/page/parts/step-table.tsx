import { useMemo, useRef } from 'preact/hooks';
import type { ProcessView, StepView } from '../../../record/process-view';
import {
  formatCost,
  formatCount,
  formatDuration,
  formatElapsed,
  formatShare,
  formatTokens,
  modelName,
  NOTHING,
} from '../format';
import { useNow } from '../use-now';
import { Empty, Panel } from './panel';
import { type Column, Rows } from './rows';

/** The driver calls of a process on a time line, with their tokens and cache hit rates. */
export function StepTable({ view }: { view: ProcessView }) {
  const { steps } = view;
  const box = useRef<HTMLDivElement>(null);
  const columns = useMemo(() => columnsOf(view), [view]);
  return (
    <Panel title="Steps" aside={steps.length > 0 ? formatCount(steps.length) : undefined}>
      {steps.length === 0 ? (
        <Empty>{view.end ? 'The process ended before its first step.' : 'The process waits for a slot.'}</Empty>
      ) : (
        <div class="step-box" ref={box}>
          <Rows
            label="Steps"
            class="step-rows"
            columns={columns}
            rows={steps}
            keyOf={({ step }) => step}
            stampOf={({ ms }) => `${ms} ${view.endedAt}`}
            box={box}
          />
        </div>
      )}
    </Panel>
  );
}

function columnsOf(view: ProcessView): Column<StepView>[] {
  return [
    { head: 'Step', area: 'step', class: 'muted', cell: ({ step }) => step },
    {
      head: 'Model',
      area: 'model',
      class: 'clip',
      title: ({ provider, model, call }) =>
        modelName(provider, model) + (call === undefined ? '' : `, for the tool call ${call}`),
      cell: ({ provider, model, call }) => (call === undefined ? '' : '↳ ') + modelName(provider, model),
    },
    { head: 'When', cell: (step) => <Span step={step} view={view} /> },
    { head: 'Took', area: 'took', class: 'number', cell: (step) => <Took step={step} view={view} /> },
    {
      head: 'Tokens',
      area: 'tokens',
      onlyNarrow: true,
      class: 'clip muted',
      cell: ({ usage }) =>
        usage &&
        `${tokens(usage.inputTokens)} in, ${tokens(usage.cachedInputTokens)} cached, ${tokens(usage.outputTokens)} out`,
    },
    { head: 'In', class: 'number', cell: ({ usage }) => tokens(usage?.inputTokens) },
    { head: 'Cached', class: 'number', cell: ({ usage }) => tokens(usage?.cachedInputTokens) },
    { head: 'Out', class: 'number', cell: ({ usage }) => tokens(usage?.outputTokens) },
    {
      head: 'Hit rate',
      area: 'rate',
      class: 'number',
      cell: ({ hitRate }) => (hitRate === undefined ? NOTHING : <Rate share={hitRate} />),
    },
    { head: 'Cost', class: 'number', cell: ({ costUsd = 0, nominalUsd }) => formatCost(costUsd, nominalUsd) },
    {
      head: 'End',
      class: 'clip muted',
      title: ({ finish }) => finish,
      cell: ({ finish }) => finish ?? (view.end ? NOTHING : 'running'),
    },
  ];
}

function tokens(count: number | undefined): string {
  return count === undefined ? NOTHING : formatTokens(count);
}

type StepProps = { step: StepView; view: ProcessView };

function Took({ step: { ms, startedAt }, view }: StepProps) {
  const now = useNow();
  return ms === undefined ? formatElapsed((view.endedAt ?? now) - startedAt) : formatDuration(ms);
}

function Rate({ share }: { share: number }) {
  return (
    <span class="rate" title="cached share of the input that was not just written to the cache">
      <i aria-hidden="true" style={{ '--rate': `${Math.min(100, share * 100)}%` }} />
      {formatShare(share)}
    </span>
  );
}

/** The step on the time line, which begins with the first step and ends with the process, or now. */
function Span({ step, view }: StepProps) {
  const now = useNow();
  const end = view.endedAt ?? now;
  const begin = view.steps[0]!.startedAt;
  const share = (ms: number) => `${(100 * Math.min(1, Math.max(0, ms / Math.max(1, end - begin)))).toFixed(2)}%`;
  const style = { left: share(step.startedAt - begin), width: share(step.ms ?? end - step.startedAt) };
  return (
    <span class="span-track">
      <i class={step.call === undefined ? '' : 'inner'} style={style} />
    </span>
  );
}
