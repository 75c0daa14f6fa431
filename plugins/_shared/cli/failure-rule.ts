import type { DriverErrorCode, ErrorKind } from 'drivebay/plugin';

/** What a rule's hint may speak of. */
export interface HintFacts {
  /** The program, as the user would type it. */
  command: string;
  /** The variable that `api_key_env` names. */
  keyName: string | undefined;
  model: string | undefined;
  /** What the pattern caught. */
  match: RegExpExecArray;
}

export interface FailureRule {
  pattern: RegExp;
  code: DriverErrorCode;
  kind: ErrorKind;
  hint?: (facts: HintFacts) => string;
}
