import { useMemo, useRef, useState } from 'preact/hooks';
import { formatCount } from '../format';
import type { TraceRow } from '../process-detail';
import { TextBlocks } from '../text-blocks';
import { traceText, wholeEvent } from '../trace-text';
import { useStickToEnd } from '../use-stick-to-end';
import { Panel } from './panel';
import { type Column, Rows } from './rows';
import { TextView } from './text-view';
import { Clock } from './times';

/** The events of a process in order. A click on a line opens the whole event. */
export function Trace({ rows, size, live }: { rows: readonly TraceRow[]; size: number; live: boolean }) {
  const box = useRef<HTMLDivElement>(null);
  const [open, setOpen] = useState<TraceRow>();
  const columns = useMemo(() => columnsOf(open, setOpen), [open]);
  // The open row may grow.
  const whole = useMemo(() => open && new TextBlocks(wholeEvent(open)), [open, open?.pieces.length]);
  useStickToEnd(box, size, live);
  return (
    <Panel title="Trace" aside={`${formatCount(size)} ${size === 1 ? 'event' : 'events'}`}>
      <div class="trace-box" ref={box} style={{ '--rows': size }}>
        <Rows
          label="Trace"
          class="trace-rows"
          columns={columns}
          rows={rows}
          keyOf={({ event }) => event.seq}
          stampOf={({ pieces }) => pieces.length}
          box={box}
        />
      </div>
      {whole && <TextView text={whole} label="The whole event" class="trace-event" live={false} />}
    </Panel>
  );
}

function columnsOf(open: TraceRow | undefined, toggle: (row: TraceRow | undefined) => void): Column<TraceRow>[] {
  return [
    { head: 'Time', area: 'auto', class: 'muted', cell: ({ event }) => <Clock time={event.time} /> },
    { head: 'Event', area: 'auto', class: 'clip', cell: ({ event }) => event.type },
    { head: 'Step', class: 'number muted', cell: ({ event }) => ('step' in event ? event.step : '') },
    {
      head: 'What',
      area: 'auto',
      class: 'clip',
      cell: (row) => (
        <button type="button" aria-expanded={row === open} onClick={() => toggle(row === open ? undefined : row)}>
          {traceText(row)}
        </button>
      ),
    },
  ];
}
