import type { ComponentChildren } from 'preact';
import type { ProcessView } from '../../../record/process-view';
import { formatCost, formatCount, formatDuration, NOTHING } from '../format';
import { Panel } from './panel';
import { Ago, Elapsed } from './times';

interface FactProps {
  name: string;
  note?: string;
  wide?: boolean;
  value: ComponentChildren;
}

export function Fact({ name, note, wide = false, value }: FactProps) {
  if (value === undefined) return null;
  return (
    <div class={wide ? 'wide' : ''}>
      <dt>{name}</dt>
      <dd>
        {value}
        {note !== undefined && <small> {note}</small>}
      </dd>
    </div>
  );
}

export function Facts({ view }: { view: ProcessView }) {
  const { resolution, provider, model, driver, usage, startedAt, project, workingDirectory } = view;
  // The resolution does not describe the model of a fallback.
  const isFirst = provider === undefined || provider === resolution?.provider;
  const by = isFirst ? resolution?.decidedBy : { provider: `in place of ${resolution?.provider}` };
  const cached = usage.cachedInputTokens ? `${formatCount(usage.cachedInputTokens)} cached` : undefined;
  const reasoning = usage.reasoningTokens ? `${formatCount(usage.reasoningTokens)} reasoning` : undefined;
  return (
    <Panel title="Facts">
      <dl class="facts">
        <Fact name="Provider" note={by?.provider} value={provider ?? NOTHING} />
        <Fact name="Driver" note={view.driverKind} value={view.driverAlias ?? driver ?? NOTHING} />
        <Fact name="Model" note={by?.model} value={model ?? NOTHING} />
        <Fact name="Effort" note={resolution?.decidedBy.effort} value={resolution?.effort ?? NOTHING} />
        <Fact name="Created" value={<Ago time={view.createdAt} />} />
        <Fact
          name="Elapsed"
          note={waited(view)}
          value={startedAt === undefined ? NOTHING : <Elapsed from={startedAt} to={view.endedAt} />}
        />
        <Fact name="Tokens in" note={cached} value={formatCount(usage.inputTokens)} />
        <Fact name="Tokens out" note={reasoning} value={formatCount(usage.outputTokens)} />
        <Fact name="Cost" value={formatCost(view.costUsd, view.nominalUsd)} />
        <Fact name="Agent" value={view.name} />
        <Fact name="Compose run" value={view.compose} />
        <Fact name="Goes on after" value={view.continues === undefined ? undefined : `process ${view.continues}`} />
        <Fact name="Folder" wide value={workingDirectory} />
        <Fact name="Project" wide value={project === workingDirectory ? undefined : project} />
        <Fact name="Uuid" wide value={view.uuid} />
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
          <Fact
            key={name}
            name={name}
            value={value === '' ? <span class="muted">(empty)</span> : <code>{value}</code>}
          />
        ))}
      </dl>
    </Panel>
  );
}
