import type { ComponentChildren, RefObject } from 'preact';
import { useRef } from 'preact/hooks';
import { moveFocus } from '../move-focus';
import { useWindow } from '../use-window';

export interface RowsProps<Row> {
  /** What the table shows, for those who do not see it. */
  label: string;
  class: string;
  /** The heads of the columns. */
  columns: readonly string[];
  rows: readonly Row[];
  /** The cells of a row, as elements with the role of a cell. */
  children: (row: Row, index: number) => ComponentChildren;
  keyOf: (row: Row, index: number) => string | number;
  /** The box that scrolls, where it is not the page. */
  box?: RefObject<HTMLElement | null>;
}

/** A table with any number of rows of one height, of which only those in sight are in the page. */
export function Rows<Row>({ label, class: name, columns, rows, children, keyOf, box }: RowsProps<Row>) {
  const list = useRef<HTMLDivElement>(null);
  const { height, from, to } = useWindow(list, box, rows.length);
  const visible = rows.slice(from, to);
  return (
    <div class={`rows ${name}`} role="table" aria-label={label} aria-rowcount={rows.length + 1}>
      <div class="row row-head" role="row" aria-rowindex={1}>
        {columns.map((column) => (
          <span role="columnheader" key={column}>
            {column}
          </span>
        ))}
      </div>
      <div
        class="row-list"
        role="rowgroup"
        ref={list}
        onKeyDown={moveFocus}
        style={height === undefined ? {} : { height: `${rows.length * height}px`, paddingTop: `${from * height}px` }}
      >
        {visible.map((row, index) => (
          <div class="row" role="row" aria-rowindex={from + index + 2} key={keyOf(row, from + index)}>
            {children(row, from + index)}
          </div>
        ))}
      </div>
    </div>
  );
}
