import type { ComponentChildren, RefObject } from 'preact';
import { useMemo, useRef } from 'preact/hooks';
import { useWindow } from '../use-window';

export interface Column<Row> {
  head: string;
  cell: (row: Row) => ComponentChildren;
  class?: string;
  title?: (row: Row) => string | undefined;
  /** The grid area of the cell in the cards of a narrow screen. Absent: the cards do not show it. */
  area?: string;
  /** Whether only the cards show the cell. */
  onlyNarrow?: boolean;
}

interface RowsProps<Row> {
  /** The name of the table for screen readers. */
  label: string;
  class: string;
  /** A new array renders every row again. */
  columns: readonly Column<Row>[];
  rows: readonly Row[];
  keyOf: (row: Row) => string | number;
  /** A value that differs after a row has changed in place. Absent: changed rows are replaced. */
  stampOf?: (row: Row) => unknown;
  /** The scrolling box. Absent: the page scrolls. */
  box?: RefObject<HTMLElement | null>;
}

/** A table with any number of rows of equal height. Only the visible rows are in the page. */
export function Rows<Row>({ label, class: name, columns, rows, keyOf, stampOf, box }: RowsProps<Row>) {
  const list = useRef<HTMLDivElement>(null);
  const { height, from, to } = useWindow(list, box, rows.length);
  return (
    <div class={`rows ${name}`} role="table" aria-label={label} aria-rowcount={rows.length + 1}>
      <div class="row row-head" role="row" aria-rowindex={1}>
        {columns.map(
          ({ head, onlyNarrow }) =>
            !onlyNarrow && (
              <span role="columnheader" key={head}>
                {head}
              </span>
            ),
        )}
      </div>
      <div
        class="row-list"
        role="rowgroup"
        ref={list}
        onKeyDown={moveFocus}
        style={height === undefined ? {} : { height: `${rows.length * height}px`, paddingTop: `${from * height}px` }}
      >
        {rows.slice(from, to).map((row, index) => (
          <div class="row" role="row" aria-rowindex={from + index + 2} key={keyOf(row)}>
            <Cells row={row} columns={columns} stamp={stampOf?.(row)} />
          </div>
        ))}
      </div>
    </div>
  );
}

interface CellsProps<Row> {
  row: Row;
  columns: readonly Column<Row>[];
  stamp: unknown;
}

/** Speed: Preact does not look into the cells of a row that has not changed. */
function Cells<Row>({ row, columns, stamp }: CellsProps<Row>) {
  return useMemo(
    () =>
      columns.map(({ head, cell, class: name = '', title, area, onlyNarrow }) => {
        const where = area === undefined ? 'only-wide' : onlyNarrow ? 'only-narrow' : '';
        return (
          <span role="cell" key={head} class={`${where} ${name}`} style={{ '--area': area }} title={title?.(row)}>
            {cell(row)}
          </span>
        );
      }),
    [row, columns, stamp],
  );
}

const STEPS: Record<string, number> = { ArrowDown: 1, ArrowUp: -1 };

/** The arrow keys move the focus to the link or button of the next row. */
function moveFocus(event: KeyboardEvent & { currentTarget: HTMLElement }): void {
  const step = STEPS[event.key];
  if (step === undefined) return;
  const targets = [...event.currentTarget.querySelectorAll<HTMLElement>('.row :is(a, button)')];
  const next = targets[targets.indexOf(document.activeElement as HTMLElement) + step];
  if (!next) return;
  event.preventDefault();
  next.focus();
}
