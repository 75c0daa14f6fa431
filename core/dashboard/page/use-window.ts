import type { RefObject } from 'preact';
import { useLayoutEffect, useState } from 'preact/hooks';

/** Up to this number, all rows are in the page, for find, print and screen readers. */
const FEW = 100;
/** The number of invisible rows beyond each edge, for users who scroll or press Tab. */
const OVERSCAN = 10;
/** The edges move by this number of rows, so that few new lines move them. */
const STRIDE = 10;
const FIRST_HEIGHT = 32;

interface RowWindow {
  /** The height of every row in pixels, from CSS. Absent when all rows are in the page. */
  height: number | undefined;
  from: number;
  to: number;
}

/** The visible rows, in the scrolling box or in the browser's window. */
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
    // Does not look at every change of the list, because a look forces a layout. When the page grows, the list may have
    // moved without a scroll.
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
