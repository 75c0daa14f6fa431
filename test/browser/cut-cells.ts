import type { Page } from 'playwright-core';

const CUT = `[...document.querySelectorAll('.row-list .row')].flatMap((row) =>
  [...row.children]
    .filter((cell) => cell.offsetHeight > row.clientHeight || (!cell.matches('.clip') && cell.scrollWidth > cell.clientWidth))
    .map((cell) => cell.textContent))`;

/** The texts in rows that do not fit: rows show no more than their height, and a cell with a long text shows that it is cut. */
export function cutCells(page: Page): Promise<string[]> {
  return page.evaluate<string[]>(CUT);
}
