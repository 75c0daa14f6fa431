/** Starts to count, and tells how many ms of processor time this process has used since: other programs do not count. */
export function cpuTime(): () => number {
  const before = process.cpuUsage();
  return () => {
    const { user, system } = process.cpuUsage(before);
    return (user + system) / 1000;
  };
}
