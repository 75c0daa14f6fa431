import { fieldsOf, listOf, numberOf, textOf, type Fields } from '../_shared/fields';
import type { RunReport } from './run-report';

/** Ends that are none, whatever else the line says. */
const BAD_END = /error|too_long|abort|limit/;

/** What the last line of a run says about a failure; undefined where there is none. Its `subtype` alone proves nothing. */
export function readFailure(line: Fields, known: RunReport): RunReport | undefined {
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
    text: words.find((text) => text !== undefined && text.trim() !== ''),
    class: known.class ?? (subtype.startsWith('error') ? subtype : end),
    status: numberOf(line.api_error_status) ?? known.status,
  };
}
