import type { RefObject } from 'preact';
import { useLayoutEffect, useState } from 'preact/hooks';

/** So many rows are all in the page: find, print and screen readers get them without scrolling. */
const FEW = 100;
/** Rows beyond both edges that are there already when somebody scrolls or tabs on. */
const OVERSCAN = 10;
/** The edges move by so many rows at once, so that not every line that comes changes them. */
const STRIDE = 10;
const FIRST_HEIGHT = 32;

export interface RowWindow {
  /** Height of a row in pixels, the same for all, which CSS gives them; absent where all rows are there. */
  height: number | undefined;
  from: number;
  to: number;
}

/** Which of so many rows are in sight: in the box that scrolls, or in the browser's window. */
export function useWindow(
  list: RefObject<HTMLElement | null>,
  box: RefObject<HTMLElement | null> | undefined,
  count: number,
): RowWindow {
  const few = count <= FEW;
  const [seen, setSeen] = useState({ height: FIRST_HEIGHT, from: 0, to: 40 });

  useLayoutEffect(() => {
    if (few) return;
    const look = () => {
      const element = list.current;
      if (!element) return;
      const height = element.firstElementChild?.getBoundingClientRect().height || FIRST_HEIGHT;
      const bounds = box?.current?.getBoundingClientRect() ?? { top: 0, height: innerHeight };
      const above = (bounds.top - element.getBoundingClientRect().top) / height;
      const from = Math.max(0, Math.floor((above - OVERSCAN) / STRIDE) * STRIDE);
      const to = Math.max(from, Math.ceil((above + bounds.height / height + OVERSCAN) / STRIDE) * STRIDE);
      setSeen((last) => (last.height === height && last.from === from && last.to === to ? last : { height, from, to }));
    };
    look();
    const target = box?.current ?? window;
    target.addEventListener('scroll', look, { passive: true });
    // Not at every change of the list, because to look makes the browser lay the page out at once. Where the page as a whole
    // grows, what stands above may have moved the list without a scroll.
    const observer = new ResizeObserver(look);
    observer.observe(box?.current ?? document.body);
    return () => {
      target.removeEventListener('scroll', look);
      observer.disconnect();
    };
  }, [few]);

  if (few) return { height: undefined, from: 0, to: count };
  const to = Math.min(seen.to, count);
  return { height: seen.height, from: Math.min(seen.from, to), to };
}
