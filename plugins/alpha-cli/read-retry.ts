import { numberOf, textOf, type Fields } from '../_shared/fields';
import type { RunReport } from './run-report';

/**
 * What a notice of a retry means for the run; undefined: the retry may help, and is waited for. The program would go on for
 * minutes with a login that is lost, with a network that is not there, or beyond the time that the call has left.
 */
export function readRetry(line: Fields, deadline: number): RunReport | undefined {
  const status = numberOf(line.error_status);
  const problem = textOf(line.error);
  const delayMs = numberOf(line.retry_delay_ms) ?? 0;
  const isLogin = status === 401 || status === 403 || problem === 'authentication_failed';
  const isNetwork = status === undefined && problem === 'unknown';
  if (!isLogin && !isNetwork && Date.now() + delayMs < deadline) return undefined;
  return { status, class: isNetwork ? 'network' : problem, retryDelayS: Math.ceil(delayMs / 1000) };
}
