const STEPS: Record<string, number> = { ArrowDown: 1, ArrowUp: -1 };

/** The arrow keys go from row to row: from one's link or button to the next one's. */
export function moveFocus(event: KeyboardEvent & { currentTarget: HTMLElement }): void {
  const step = STEPS[event.key];
  if (step === undefined) return;
  const targets = [...event.currentTarget.querySelectorAll<HTMLElement>('.row :is(a, button)')];
  const next = targets[targets.indexOf(document.activeElement as HTMLElement) + step];
  if (!next) return;
  event.preventDefault();
  next.focus();
}
