import { parseArgs } from 'node:util';
import { SCENARIOS } from './goals.mjs';

export const USAGE = `usage: npm run bench -- [--quick] [--only SCENARIO,...] [--json FILE] [--strict] [--self-check]
  --quick       a smoke run of a minute; its numbers mean nothing
  --only        some of: ${SCENARIOS.join(', ')}
  --json FILE   writes every sample to FILE too
  --strict      exit code 1 when a goal is missed
  --self-check  puts a second floor in the place of the gateway: every ratio should be 1, what differs is noise`;

/** Throws an error with a message for the user when the options make no sense. */
export function parseOptions(args) {
  const { values } = parseArgs({
    args,
    options: {
      quick: { type: 'boolean', default: false },
      only: { type: 'string' },
      json: { type: 'string' },
      strict: { type: 'boolean', default: false },
      'self-check': { type: 'boolean', default: false },
      help: { type: 'boolean', default: false },
    },
  });
  const scenarios = values.only?.split(',') ?? SCENARIOS;
  const unknown = scenarios.filter((name) => !SCENARIOS.includes(name));
  if (unknown.length > 0) throw new Error(`unknown scenario ${unknown.join(', ')}`);
  const { quick, json, strict, help } = values;
  return { quick, json, strict, help, scenarios, selfCheck: values['self-check'] };
}
