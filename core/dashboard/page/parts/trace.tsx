import { useRef, useState } from 'preact/hooks';
import { memo } from '../memo';
import { formatCount } from '../format';
import type { TraceRow } from '../process-detail';
import { traceText } from '../trace-text';
import { useStickToEnd } from '../use-stick-to-end';
import { Panel } from './panel';
import { Rows } from './rows';
import { Clock } from './times';

const COLUMNS = ['Time', 'Event', 'Step', 'What'];

/** Everything that happened to a process, in order. A line opens to the whole event. */
export function Trace({ rows, size, live }: { rows: readonly TraceRow[]; size: number; live: boolean }) {
  const box = useRef<HTMLDivElement>(null);
  const [open, setOpen] = useState<TraceRow>();
  useStickToEnd(box, size, live);
  return (
    <Panel title="Trace" aside={`${formatCount(size)} ${size === 1 ? 'event' : 'events'}`}>
      <div class="trace-box" ref={box}>
        <Rows label="Trace" class="trace-rows" columns={COLUMNS} rows={rows} keyOf={({ event }) => event.seq} box={box}>
          {(row) => <Cells row={row} size={row.pieces} open={row === open} toggle={setOpen} />}
        </Rows>
      </div>
      {open && (
        <pre class="trace-event" aria-label="The whole event" tabIndex={0}>
          {JSON.stringify(open.event, null, 2)}
        </pre>
      )}
    </Panel>
  );
}

interface CellsProps {
  row: TraceRow;
  /** Tells a row that has grown from what it was. */
  size: number;
  open: boolean;
  toggle: (row: TraceRow | undefined) => void;
}

const Cells = memo(({ row, open, toggle }: CellsProps) => {
  const { event } = row;
  return (
    <>
      <span role="cell" class="muted">
        <Clock time={event.time} />
      </span>
      <span role="cell" class="clip">
        {event.type}
      </span>
      <span role="cell" class="only-wide number muted">
        {'step' in event ? event.step : ''}
      </span>
      <span role="cell" class="clip">
        <button type="button" aria-expanded={open} onClick={() => toggle(open ? undefined : row)}>
          {traceText(row)}
        </button>
      </span>
    </>
  );
});
