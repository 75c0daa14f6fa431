import type { Diagnosis } from 'drivebay/plugin';

/** Says of keys in the environment that the program does not get them: else people wonder why their login pays. */
export function unusedKeys(variables: readonly string[], used: string | undefined): Diagnosis[] {
  return variables
    .filter((name) => name !== used && process.env[name]?.trim())
    .map((name) => ({
      topic: 'billing',
      severity: 'note',
      message: `${name} is set, and not given to the program: its login pays`,
      fix: `to pay with the key: api_key_env: ${name}`,
    }));
}
