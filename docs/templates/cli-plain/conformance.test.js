import test from 'node:test';
import { cliBackend, conformanceCases } from 'drivebay/testing';

const CODES = { auth: 2, rejected: 3, rate_limited: 4, upstream: 1 };

// The program that the driver believes to be the real one: what it prints, and how it reads its arguments and input.
const backend = cliBackend({
  options: (command) => ({ command }),
  answer: ({ pieces }) => pieces.map((text) => ({ stdout: text })),
  failure: ({ fault, message }) => [{ stderr: `${message}\n` }, { exit: CODES[fault] }],
  received: ({ argv, stdin }) => ({
    texts: [stdin],
    model: argv.includes('--model') ? argv[argv.indexOf('--model') + 1] : undefined,
  }),
  cannot: {
    end: 'an answer is complete when the program ends with exit code 0',
    garbage: 'any output is an answer',
    usage: 'the program does not count tokens',
    length: 'the program does not say that an answer was cut at the token limit',
    reasoning: 'the program does not tell its reasoning',
  },
});

for (const { id, name, excluded, run } of conformanceCases({ directory: import.meta.dirname, backend })) {
  test(`${id}: ${name}`, { skip: excluded }, run);
}
