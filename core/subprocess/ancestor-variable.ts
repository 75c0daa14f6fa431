import { localProcesses } from './local-processes';

/**
 * A variable of the nearest program that this one descends from and that has it. Some programs start others with a few
 * variables of their own choice.
 */
export function ancestorVariable(name: string): string | undefined {
  const rows = new Map(
    localProcesses()
      .table?.readSync()
      .map((row) => [row.pid, row]),
  );
  let ancestor = rows.get(process.ppid);
  while (ancestor) {
    const value = ancestor.variable(name);
    if (value !== undefined) return value;
    // Two processes that are each other's parent cannot be; a pid that is used again could look so.
    rows.delete(ancestor.pid);
    ancestor = rows.get(ancestor.parent);
  }
  return undefined;
}
