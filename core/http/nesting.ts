/** Far deeper than any tool's schema. Deeper values would overflow the stack of recursive code. */
export const MOST_LEVELS = 200;

/** For JSON of strangers. Iterative, because nothing recursive may touch the value before. */
export function isTooDeep(value: unknown): boolean {
  let level: unknown[] = [value];
  for (let depth = 0; level.length > 0; depth += 1) {
    if (depth > MOST_LEVELS) return true;
    const next: unknown[] = [];
    for (const node of level) {
      if (typeof node !== 'object' || node === null) continue;
      for (const child of Array.isArray(node) ? (node as unknown[]) : Object.values(node)) {
        if (typeof child === 'object' && child !== null) next.push(child);
      }
    }
    level = next;
  }
  return false;
}
