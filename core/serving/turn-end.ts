let waiting: (() => void)[] = [];
// A second signal ends the program within the turn. What waits for the end of the turn is done already, and still leaves.
process.once('exit', runWaiting);

/**
 * Runs work when the event loop has handled everything that has arrived. Speed: a write wakes the program that reads it, which costs
 * more than the write itself. Where the answers of one turn are written one right after the other, only the first one wakes it.
 */
export function atTurnEnd(work: () => void): void {
  if (waiting.push(work) === 1) setImmediate(runWaiting);
}

function runWaiting(): void {
  const works = waiting;
  waiting = [];
  for (const work of works) work();
}
