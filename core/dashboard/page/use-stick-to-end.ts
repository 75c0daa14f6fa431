import type { RefObject } from 'preact';
import { useLayoutEffect, useRef } from 'preact/hooks';

/** A box this near to its end counts as being at its end. */
const NEAR_PX = 24;

/** Keeps a growing box at its end, unless the user has scrolled away. */
export function useStickToEnd(box: RefObject<HTMLElement | null>, size: number, enabled: boolean): void {
  const stuck = useRef(true);
  useLayoutEffect(() => {
    const element = box.current;
    if (!element || !enabled) return;
    const note = () => (stuck.current = element.scrollTop + element.clientHeight >= element.scrollHeight - NEAR_PX);
    element.addEventListener('scroll', note, { passive: true });
    return () => element.removeEventListener('scroll', note);
  }, [enabled]);
  useLayoutEffect(() => {
    if (enabled && stuck.current && box.current) box.current.scrollTop = box.current.scrollHeight;
  }, [size, enabled]);
}
