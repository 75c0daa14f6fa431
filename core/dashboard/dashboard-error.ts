/** A refusal: what the page, or whoever asked, is told. */
export class DashboardError extends Error {
  constructor(
    readonly status: number,
    readonly code: string,
    message: string,
    readonly hint?: string,
    readonly headers: Record<string, string> = {},
  ) {
    super(message);
    this.name = 'DashboardError';
  }
}

export function onlyMethods(allow: string): DashboardError {
  return new DashboardError(405, 'method_not_allowed', `use ${allow}`, undefined, { allow });
}

export function noProcess(pid: number): DashboardError {
  return new DashboardError(404, 'no_process', `there is no process ${pid}`, 'see: drivebay ps -a');
}
