import type { ExitStatus } from 'drivebay/plugin';
import type { FailureRule } from '../_shared/cli/explain-by-rules';
import { fieldsOf, textOf } from '../_shared/fields';

/** What the CLI says of an argument that it does not take. */
export const startRules: readonly FailureRule[] = [
  {
    signs: [/^Unknown arguments?: (\S+?),?(?: .*)?$|^Not enough arguments following: (\S+)$|^Invalid values:$/],
    code: 'not_installed',
    kind: 'bad_option',
    hint: 'update the CLI: npm install -g @google/gemini-cli (Qwen Code: @qwen-code/qwen-code)',
  },
];

/** Its exit code for a failure of the API is the HTTP status, of which a system keeps the last eight bits. */
export function statusOf({ code }: ExitStatus): number | undefined {
  const status = (code ?? 0) + 256;
  return status >= 400 && status <= 511 ? status : undefined;
}

/** The message of the JSON object at the end of the standard error: there an output that is `json` has its errors. */
export function trailingMessage(stderr: string): string | undefined {
  const start = stderr.lastIndexOf('\n{\n') + 1;
  if (!stderr.startsWith('{', start)) return undefined;
  try {
    return textOf(fieldsOf(fieldsOf(JSON.parse(stderr.slice(start))).error).message);
  } catch {
    return undefined;
  }
}
