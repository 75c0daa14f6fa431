/** A refusal: what the page, or whoever asked, is told. */
export class DashboardError extends Error {
  constructor(
    readonly status: number,
    readonly code: string,
    message: string,
    readonly hint?: string,
  ) {
    super(message);
    this.name = 'DashboardError';
  }
}

export function noProcess(pid: number): DashboardError {
  return new DashboardError(404, 'no_process', `there is no process ${pid}`, 'see: drivebay ps -a');
}
