import type { DriverErrorCode } from 'drivebay/plugin';

/** The code of an error that a vendor reports inside an answer, with the status that it gives it there. */
export function codeForStatus(status: number | undefined): DriverErrorCode {
  if (status === 401 || status === 403) return 'auth';
  if (status === 429) return 'rate_limited';
  return status !== undefined && status < 500 ? 'rejected' : 'upstream';
}
