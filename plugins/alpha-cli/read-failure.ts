import type { FailureReport } from '../_shared/cli/explain-by-rules';
import { fieldsOf, listOf, numberOf, textOf, type Fields } from '../_shared/fields';

/** Ends that are none, whatever else the line says. */
const BAD_END = /error|too_long|abort|limit/;

/** What the last line of a run says about a failure. Undefined where there is none. Its `subtype` alone proves nothing. */
export function readFailure(line: Fields, known: FailureReport): FailureReport | undefined {
  const subtype = textOf(line.subtype) ?? '';
  const end = textOf(line.terminal_reason) ?? '';
  const hasFailed = line.is_error === true || subtype.startsWith('error') || BAD_END.test(end);
  if (!hasFailed) return undefined;
  const words = [
    textOf(line.result),
    listOf(line.errors)
      .filter((error) => typeof error === 'string')
      .join('; '),
    textOf(fieldsOf(line.error).message),
    textOf(line.error_message),
    known.text,
    subtype,
  ];
  return {
    ...known,
    text: words.find((text) => text?.trim()),
    class: known.class ?? (subtype.startsWith('error') ? subtype : end),
    status: numberOf(line.api_error_status) ?? known.status,
  };
}

/**
 * What a notice of a retry means for the run. Undefined: the retry may help, and is waited for. The program would go on for
 * minutes with a login that is lost, with a network that is not there, or beyond the time that the call has left.
 */
export function readRetry(line: Fields, known: FailureReport, deadline: number): FailureReport | undefined {
  const status = numberOf(line.error_status);
  const problem = textOf(line.error);
  const delayMs = numberOf(line.retry_delay_ms) ?? 0;
  const isLogin = status === 401 || status === 403 || problem === 'authentication_failed';
  const isNetwork = status === undefined && problem === 'unknown';
  if (!isLogin && !isNetwork && Date.now() + delayMs < deadline) return undefined;
  const retryAfterS = Math.ceil(delayMs / 1000);
  if (!isNetwork) return { ...known, status, class: problem, retryAfterS };
  return { ...known, text: known.text ?? 'the API cannot be reached', class: 'network' };
}

/** The warning about the tools that a run was not allowed to use. Undefined where there are none. */
export function deniedTools(result: Fields): string | undefined {
  const names = listOf(result.permission_denials).map((denial) => textOf(fieldsOf(denial).tool_name) ?? 'a tool');
  if (names.length === 0) return undefined;
  return `it was not allowed to use ${[...new Set(names)].join(', ')}: permission_mode decides what it may do`;
}
