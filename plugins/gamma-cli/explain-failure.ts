import { basename } from 'node:path';
import type { DriverContext, DriverFailure } from 'drivebay/plugin';
import { failureRules, ruleOfStatus } from './failure-rules';
import type { Options } from './options';
import { retryAfter } from './retry-after';
import { unwrapMessage } from './unwrap-message';

/** A page or a stack that came instead of a message. */
const LONGEST = 1_000;

/** What is known of a run that failed. */
export interface Failed {
  path: string;
  model: string | undefined;
  /** Whether a tool has been at work. */
  hasActed: boolean;
}

/** Makes the error of a run from what it says about its failure. */
export function explainFailure(
  { error, options }: Pick<DriverContext<Options>, 'error' | 'options'>,
  message: string,
  { path, model, hasActed }: Failed,
  knownStatus?: number,
): DriverFailure {
  const { command, api_key_env: keyName } = options;
  const { text, signs, status = knownStatus } = unwrapMessage(message);
  const rule = failureRules.find(({ pattern }) => pattern.test(signs));
  const { code, kind } = rule ?? ruleOfStatus(status);
  const match = rule?.pattern.exec(signs);
  const typed = /\s/.test(command) ? `'${command}'` : command;
  const hint = match ? rule?.hint?.({ command: typed, keyName: keyName || undefined, model, match }) : undefined;
  const retryAfterS = code === 'rate_limited' ? retryAfter(message) : undefined;
  return error(code, `${basename(path)}: ${text.slice(0, LONGEST)}`, {
    kind,
    ...(hint !== undefined && { hint }),
    ...(status !== undefined && { status }),
    ...(retryAfterS !== undefined && { retryAfterS }),
    ...(hasActed && { sideEffects: true }),
  });
}
