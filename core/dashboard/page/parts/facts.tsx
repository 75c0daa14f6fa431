import type { ProcessView } from '../../../record/process-view';
import { formatCost, formatCount, formatDuration, NOTHING } from '../format';
import { Fact } from './fact';
import { Panel } from './panel';
import { Ago, Elapsed } from './times';

/** Who works where, since when, and what it took. */
export function Facts({ view }: { view: ProcessView }) {
  const { resolution, provider, model, driver, driverKind, usage, costUsd, createdAt, startedAt, endedAt } = view;
  // A fallback has its own model.
  const isFirst = provider === undefined || provider === resolution?.provider;
  const by = isFirst ? resolution?.decidedBy : { provider: `in place of ${resolution?.provider}` };
  return (
    <Panel title="Facts">
      <dl class="facts">
        <Fact name="Provider" note={by?.provider}>
          {provider ?? NOTHING}
        </Fact>
        <Fact name="Driver" note={driverKind}>
          {driver ?? NOTHING}
        </Fact>
        <Fact name="Model" note={by?.model}>
          {model ?? NOTHING}
        </Fact>
        <Fact name="Effort" note={resolution?.decidedBy.effort}>
          {resolution?.effort ?? NOTHING}
        </Fact>
        <Fact name="Created">
          <Ago time={createdAt} />
        </Fact>
        <Fact name="Elapsed" note={waited(view)}>
          {startedAt === undefined ? NOTHING : <Elapsed from={startedAt} to={endedAt} />}
        </Fact>
        <Fact
          name="Tokens in"
          note={usage.cachedInputTokens ? `${formatCount(usage.cachedInputTokens)} cached` : undefined}
        >
          {formatCount(usage.inputTokens)}
        </Fact>
        <Fact
          name="Tokens out"
          note={usage.reasoningTokens ? `${formatCount(usage.reasoningTokens)} reasoning` : undefined}
        >
          {formatCount(usage.outputTokens)}
        </Fact>
        <Fact name="Cost">{formatCost(costUsd)}</Fact>
        {view.name !== undefined && <Fact name="Agent">{view.name}</Fact>}
        {view.compose !== undefined && <Fact name="Compose run">{view.compose}</Fact>}
        <Fact name="Folder" wide>
          {view.workingDirectory}
        </Fact>
        {view.project !== undefined && view.project !== view.workingDirectory && (
          <Fact name="Project" wide>
            {view.project}
          </Fact>
        )}
        <Fact name="Uuid" wide>
          {view.uuid}
        </Fact>
      </dl>
    </Panel>
  );
}

/** For a slot; nothing where it was there at once. */
function waited({ createdAt, startedAt }: ProcessView): string | undefined {
  const ms = (startedAt ?? createdAt) - createdAt;
  return ms >= 1_000 ? `after ${formatDuration(ms)} of waiting` : undefined;
}
