/** Ends a helper process when the bench is gone, however that ended: its end of our stdin closes with it. */
export function endWithParent() {
  process.stdin.resume();
  process.stdin.on('end', () => process.exit());
  process.stdin.on('error', () => process.exit());
}
