import type { ComponentChildren } from 'preact';
import type { ProcessView } from '../../../record/process-view';
import { formatCost, formatCount, formatDuration, NOTHING } from '../format';
import { Panel } from './panel';
import { Ago, Elapsed } from './times';

interface FactProps {
  name: string;
  /** Small text behind the value. */
  note?: string | undefined;
  /** Whether the fact has a line of its own. */
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

/** Provider, model, times and usage of a process. */
export function Facts({ view }: { view: ProcessView }) {
  const { resolution, provider, model, driver, driverKind, usage, costUsd, createdAt, startedAt, endedAt } = view;
  // A fallback has its own model.
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

/** The time that the process waited for a slot, where it did. */
function waited({ createdAt, startedAt = createdAt }: ProcessView): string | undefined {
  const ms = startedAt - createdAt;
  return ms >= 1_000 ? `after ${formatDuration(ms)} of waiting` : undefined;
}

/** The facts that the driver of a program gives. API drivers give none. */
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
