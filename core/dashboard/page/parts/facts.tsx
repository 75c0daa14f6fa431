import type { ComponentChildren } from 'preact';
import type { ProcessView } from '../../../record/process-view';
import { formatCost, formatCount, formatDuration, NOTHING } from '../format';
import { Panel } from './panel';
import { Ago, Elapsed } from './times';

interface FactProps {
  name: string;
  /** Small text after the value. */
  note?: string;
  /** Whether the fact takes a whole line. */
  wide?: boolean;
  children: ComponentChildren;
}

function Fact({ name, note, wide = false, children }: FactProps) {
  return (
    <div class={wide ? 'wide' : ''}>
      <dt>{name}</dt>
      <dd>
        {children}
        {note !== undefined && <small> {note}</small>}
      </dd>
    </div>
  );
}

export function Facts({ view }: { view: ProcessView }) {
  const { resolution, provider, model, driver, driverKind, usage, costUsd, createdAt, startedAt, endedAt } = view;
  // The resolution does not describe the model of a fallback.
  const isFirst = provider === undefined || provider === resolution?.provider;
  const by = isFirst ? resolution?.decidedBy : { provider: `in place of ${resolution?.provider}` };
  const count = (tokens: number | undefined, what: string) => (tokens ? `${formatCount(tokens)} ${what}` : undefined);
  const facts: (Omit<FactProps, 'children'> & { value: ComponentChildren })[] = [
    { name: 'Provider', note: by?.provider, value: provider ?? NOTHING },
    { name: 'Driver', note: driverKind, value: driver ?? NOTHING },
    { name: 'Model', note: by?.model, value: model ?? NOTHING },
    { name: 'Effort', note: resolution?.decidedBy.effort, value: resolution?.effort ?? NOTHING },
    { name: 'Created', value: <Ago time={createdAt} /> },
    {
      name: 'Elapsed',
      note: waited(view),
      value: startedAt === undefined ? NOTHING : <Elapsed from={startedAt} to={endedAt} />,
    },
    { name: 'Tokens in', note: count(usage.cachedInputTokens, 'cached'), value: formatCount(usage.inputTokens) },
    { name: 'Tokens out', note: count(usage.reasoningTokens, 'reasoning'), value: formatCount(usage.outputTokens) },
    { name: 'Cost', value: formatCost(costUsd) },
    { name: 'Agent', value: view.name },
    { name: 'Compose run', value: view.compose },
    { name: 'Folder', wide: true, value: view.workingDirectory },
    { name: 'Project', wide: true, value: view.project === view.workingDirectory ? undefined : view.project },
    { name: 'Uuid', wide: true, value: view.uuid },
  ];
  return (
    <Panel title="Facts">
      <dl class="facts">
        {facts.map(
          ({ value, ...fact }) =>
            value !== undefined && (
              <Fact key={fact.name} {...fact}>
                {value}
              </Fact>
            ),
        )}
      </dl>
    </Panel>
  );
}

/** The time in the queue, if it is at least a second. */
function waited({ createdAt, startedAt = createdAt }: ProcessView): string | undefined {
  const ms = startedAt - createdAt;
  return ms >= 1_000 ? `after ${formatDuration(ms)} of waiting` : undefined;
}

/** The metadata of the driver. Only drivers of programs have metadata. */
export function Metadata({ view: { metadata } }: { view: ProcessView }) {
  const entries = Object.entries(metadata);
  if (entries.length === 0) return null;
  return (
    <Panel title="Driver metadata">
      <dl class="facts metadata">
        {entries.map(([name, value]) => (
          <Fact name={name} key={name}>
            {value === '' ? <span class="muted">(empty)</span> : <code>{value}</code>}
          </Fact>
        ))}
      </dl>
    </Panel>
  );
}
