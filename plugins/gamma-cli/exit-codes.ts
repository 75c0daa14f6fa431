import type { FailureRule, HintFacts } from '../_shared/cli/failure-rule';
import { logIn } from './failure-rules';

/** What a program means that ends with a code of its own. */
export type ExitMeaning = Pick<FailureRule, 'code' | 'kind'> & {
  hint: (facts: Pick<HintFacts, 'command' | 'keyName'>) => string;
};

/** The codes of Gemini CLI for what keeps it from beginning, where its words do not say it. */
export const exitCodes: ReadonlyMap<number | null, ExitMeaning> = new Map<number, ExitMeaning>([
  [41, { code: 'auth', kind: 'login_required', hint: logIn }],
  [52, { code: 'not_installed', kind: 'program_config', hint: () => 'correct ~/.gemini/settings.json' }],
  [
    55,
    {
      code: 'rejected',
      kind: 'untrusted_workspace',
      hint: ({ command }) => `run ${command} once in that folder and trust it`,
    },
  ],
]);

/** Its code for a failure of the API is the HTTP status, of which a system keeps the last eight bits. */
export function statusOf(code: number | null): number | undefined {
  const status = (code ?? 0) + 256;
  return status >= 400 && status <= 511 ? status : undefined;
}
