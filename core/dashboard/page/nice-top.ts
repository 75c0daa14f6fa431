const STEPS = [1, 2, 2.5, 5, 10];

/** The next round number that is no less: where an axis may end. */
export function niceTop(value: number): number {
  if (value <= 0) return 1;
  const power = 10 ** Math.floor(Math.log10(value));
  return STEPS.find((step) => step * power >= value)! * power;
}
