import type { ProcessView } from '../../../record/process-view';
import { Fact } from './fact';
import { Panel } from './panel';

/** What the driver of a program says of itself. API drivers have nothing of the kind. */
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
