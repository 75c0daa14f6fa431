import type { DriverContext, DriverFailure } from 'drivebay/plugin';
import type { RunEnd } from './cli-run';
import { explainByRules, findRule, type FailedRun, type FailureRule } from './explain-by-rules';

const LONGEST_QUOTE = 300;
const COLOURS = /\u001b\[[\d;]*[A-Za-z]/g;

export function withoutColours(text: string): string {
  return text.replace(COLOURS, '');
}

export function linesOf(text: string): string[] {
  return text.split('\n').map((line) => line.trim());
}

/** The last line whose words a rule knows. Others are noise, or lines of a stack. */
export function knownLine(rules: readonly FailureRule[], lines: readonly string[]): string | undefined {
  return lines.findLast((text) => !text.startsWith('at ') && findRule(rules, { text })?.match);
}

/** The error of a run that did not even begin, by the first line of its standard error that a rule knows. */
export function explainStart(
  context: Pick<DriverContext, 'error'>,
  rules: readonly FailureRule[],
  { stderr }: RunEnd,
  run: FailedRun,
): DriverFailure | undefined {
  const line = linesOf(stderr).find((text) => findRule(rules, { text })?.match);
  if (line === undefined) return undefined;
  return explainByRules(context, rules, { text: line.replace(/^error: /i, ''), words: line }, run);
}

/** The error of a run whose end nothing explains. `trial`: the arguments with which the user can try the program by hand. */
export function unexplainedEnd(
  context: Pick<DriverContext, 'error'>,
  { error, noise }: RunEnd,
  { command, hasActed }: FailedRun,
  trial: string | undefined,
): DriverFailure {
  const printed = noise.join(' ').slice(0, LONGEST_QUOTE);
  return context.error(error.code, error.message + (printed && `; it printed: ${printed}`), {
    kind: error.kind,
    hint: error.hint ?? (trial && `see what it does: run: ${command} ${trial}`),
    sideEffects: hasActed,
    cause: error,
  });
}
