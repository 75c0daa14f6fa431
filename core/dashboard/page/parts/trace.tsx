import { useRef, useState } from 'preact/hooks';
import { memo } from '../memo';
import { formatCount } from '../format';
import type { TraceRow } from '../process-detail';
import { TextBlocks } from '../text-blocks';
import { traceText, wholeEvent } from '../trace-text';
import { useStickToEnd } from '../use-stick-to-end';
import { Panel } from './panel';
import { Rows } from './rows';
import { TextView } from './text-view';
import { Clock } from './times';

const COLUMNS = ['Time', 'Event', 'Step', 'What'];

/** Everything that happened to a process, in order. A line opens to the whole event. */
export function Trace({ rows, size, live }: { rows: readonly TraceRow[]; size: number; live: boolean }) {
  const box = useRef<HTMLDivElement>(null);
  const [open, setOpen] = useState<TraceRow>();
  useStickToEnd(box, size, live);
  return (
    <Panel title="Trace" aside={`${formatCount(size)} ${size === 1 ? 'event' : 'events'}`}>
      <div class="trace-box" ref={box} style={{ '--rows': size }}>
        <Rows label="Trace" class="trace-rows" columns={COLUMNS} rows={rows} keyOf={({ event }) => event.seq} box={box}>
          {(row) => <Cells row={row} size={row.pieces.length} open={row === open} toggle={setOpen} />}
        </Rows>
      </div>
      {open && <WholeEvent row={open} size={open.pieces.length} />}
    </Panel>
  );
}

interface RowProps {
  row: TraceRow;
  /** Tells a row that has grown from what it was. */
  size: number;
}

const WholeEvent = memo(({ row }: RowProps) => (
  <TextView text={new TextBlocks(wholeEvent(row))} label="The whole event" class="trace-event" live={false} />
));

interface CellsProps extends RowProps {
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
