import type { RestFacts } from '../../../record/live-event';
import { formatElapsed, formatExact, modelName } from '../format';
import { useNow } from '../use-now';

/** The rests that go on, each with the time that is left. Of a target with a model: those that it falls into. */
export function Rests({ name, rests, model }: { name: string; rests: readonly RestFacts[]; model?: string | null }) {
  const now = useNow();
  const shown = rests.filter((rest) => rest.until > now && (model === undefined || isOf(rest, model)));
  return (
    <>
      {shown.map(({ model: own, kind, message, until }) => (
        <div class="why-text rest" key={own ?? ''}>
          <span class="warn" title={`until ${formatExact(until)}`}>
            {modelName(name, own)} rests for {formatElapsed(until - now)} ({kind})
          </span>
          <span class="muted">{message}</span>
        </div>
      ))}
    </>
  );
}

/** A rest without a model is that of the whole provider. */
function isOf({ model }: RestFacts, asked: string | null): boolean {
  return model === undefined || model === asked;
}
