/** Node fires a timer of more milliseconds at once. */
export const LONGEST_TIMER_MS = 2 ** 31 - 1;
